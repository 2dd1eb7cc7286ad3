import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

/// Flaws that other servers have had in reading requests and writing fields.
///
/// docs/proof/0003-strict-http.md says which test fails when which guard is taken out.
@Suite(.timeLimit(.minutes(1))) struct `A known flaw of the wire` {
    private static func routes(_ router: Router) {
        router.get("/", .inline { _ in .text("ok") })
        router.post("/") { .bytes(try await $0.body.collect(upTo: 1 << 20)) }
        router.get("/smuggled", .inline { _ in .text("smuggled") })
        router.get("/reflect") { request in
            var response = Response.text("ok")
            response.fields[.location] = Self.decodedQuery(of: request)
            return response
        }
    }

    private static func decodedQuery(of request: Request) -> String {
        let bytes = PercentEncoding.decode((request.query ?? "").utf8) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends the bytes, expects one answer with that status and the close, and then that others
    /// are answered still.
    private func expect(_ status: Int, for bytes: [UInt8], _ note: String) async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            // The server may close before it has read everything.
            async let sending: Void? = try? client.send(bytes)
            let response = try await client.response()
            #expect(response.status == status, "\(note)")
            #expect(response["Connection"] == "close", "\(note)")
            #expect(try await client.receiveUntilCut().isEmpty, "\(note): a second answer")
            _ = await sending
            #expect(try await server.exchange(request("GET /")).status == 200, "\(note)")
        }
    }

    private func expect(_ status: Int, for text: String) async throws {
        try await expect(status, for: Array(text.utf8), String(text.prefix(200)))
    }

    // 1. CVE-2022-3215: text of a request in a field of the response forges fields.
    @Test(arguments: [
        "%0d%0aSet-Cookie:x%3d1", "a%0aSet-Cookie:x%3d1", "a%0dSet-Cookie:x%3d1", "%00",
    ])
    func `text of a request forges no field of the response`(query: String) async throws {
        try await withServer(routes: Self.routes) { server in
            let response = try await server.exchange(request("GET /reflect?\(query)"))
            #expect(response.status == 200)
            #expect(response["Set-Cookie"] == nil)
            #expect(response.lines.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } })
            #expect(response.text == "ok")
        }
    }

    // 2. CVE-2019-15605: a coding that is nearly `chunked`.
    @Test(arguments: ["chunked\u{B}", "\u{B}chunked", "chunked\u{C}", "chunked\u{0}"])
    func `a malformed coding beside a length is refused`(coding: String) async throws {
        let fields = ["Transfer-Encoding: \(coding)", "Content-Length: 5"]
        try await expect(400, for: request("POST /", fields, body: "hello"))
    }

    // 7. CVE-2024-21631: the parts of a target counted in 16 bits.
    @Test(arguments: [(65_536, 414), (6_000, 400), (4, 400)])
    func `a port of many zeros names no other host`(zeros: Int, status: Int) async throws {
        let port = String(repeating: "0", count: zeros)
        try await expect(status, for: request("GET http://a:\(port)80@evil/"))
        try await expect(status, for: request("GET http://a:\(port)80/"))
    }

    // 13. CVE-2026-73257: a length and chunks in one request.
    @Test(arguments: [true, false])
    func `a request with both lengths hides no other`(isLengthFirst: Bool) async throws {
        let hidden = request("GET /smuggled")
        let fields = ["Content-Length: \(5 + hidden.utf8.count)", "Transfer-Encoding: chunked"]
        let ordered = isLengthFirst ? fields : fields.reversed()
        try await expect(400, for: request("POST /", ordered, body: "0\r\n\r\n" + hidden))
    }

    // 16. Mongoose: a length below zero makes a loop without end.
    @Test(arguments: ["-1", "-0", "-26", "-9223372036854775808", "+5"])
    func `a length with a sign is refused`(length: String) async throws {
        try await expect(400, for: request("POST /", ["Content-Length: \(length)"], body: "hello"))
    }

    // 17. Mongoose, Agoo: a length or a chunk size that wraps around.
    @Test(arguments: [
        "18446744073709551615", "18446744073709551621", "9223372036854775808",
        "99999999999999999999999",
    ])
    func `a length that wraps around is refused`(length: String) async throws {
        try await expect(400, for: request("POST /", ["Content-Length: \(length)"], body: "hello"))
    }

    @Test(arguments: [
        "fffffffffffffff0", "8000000000000000", "10000000000000005", "ffffffffffffffff",
    ])
    func `a chunk size that wraps around is refused`(size: String) async throws {
        let chunks = "\(size)\r\nhello\r\n0\r\n\r\n"
        try await expect(400, for: request("POST /", ["Transfer-Encoding: chunked"], body: chunks))
    }

    // 31. CVE-2026-28980: no bound on the number of fields, nor on all of them together.
    @Test(arguments: [(100, 0), (200_000, 0), (90, 400)])
    func `too many fields, or too much of them, are refused`(count: Int, size: Int) async throws {
        let line = "a: " + String(repeating: "b", count: size) + "\r\n"
        let head = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: line, count: count)
        try await expect(431, for: Array("\(head)\r\n".utf8), "\(count) fields")
    }
}
