import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A response without a body` {
    private static func routes(_ router: Router, _ streamCount: Note<Int>) {
        router.get("/text", on: .loop) { _ in .text("hello") }
        router.get("/inline", .inline { _ in .text("hello") })
        router.get("/pool", on: .pool) { _ in .html("<p>") }
        router.get("/empty", on: .loop) { _ in .status(.ok) }
        router.get("/bytes", on: .loop) { _ in .bytes([UInt8](repeating: 1, count: 200_000)) }
        router.get("/big", on: .loop) { _ in .text(String(repeating: "a", count: 200_000)) }
        router.get("/long", on: .pool) { _ in
            .stream(length: 5) { _ in streamCount.value += 1 }
        }
        router.get("/chunked", on: .loop) { _ in .stream { _ in streamCount.value += 1 } }
        router.get("/field", on: .loop) { _ in
            Response(fields: [.eTag: "\"1\"", .contentType: "x/y"], body: .string("hello"))
        }
        router.get("/missing", on: .loop) { _ in throw HTTPError(.notFound, reason: "none") }
        router.get("/moved", on: .loop) { _ in .redirect(to: "/text") }
        router.post("/post", on: .loop) { _ in .text("posted") }
    }

    @Test(arguments: [
        "/text", "/inline", "/pool", "/empty", "/bytes", "/big", "/long", "/chunked", "/field",
        "/missing", "/moved", "/post", "/no/where",
    ])
    func `to HEAD has the fields that GET has`(_ path: String) async throws {
        let streamCount = Note(0)
        try await withServer(routes: { Self.routes($0, streamCount) }) { server in
            let client = try await server.connect()
            let head = try await client.exchange(request("HEAD \(path)"))
            // The next response begins where a body would have been.
            let next = try await client.exchange(request("HEAD /text"))
            #expect(next.status == 200 && next["Content-Length"] == "5")
            #expect(streamCount.value == 0)

            try await client.send(request("GET \(path)"))
            var head2: [UInt8] = []
            while !String(decoding: head2, as: UTF8.self).contains("\r\n\r\n") {
                head2 += try await client.receive()
            }
            let get = try WireResponse(head: head2.head)
            #expect(head.linesWithoutDate == get.linesWithoutDate)
        }
    }

    @Test func `to HEAD ends a connection that GET would end`() async throws {
        try await withServer(routes: { Self.routes($0, Note(0)) }) { server in
            let client = try await server.connect()
            let response = try await client.exchange(request("HEAD /text", ["Connection: close"]))
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test(
        arguments: [
            (204, nil), (304, nil), (205, "0"), (200, "0"), (404, "0"),
        ] as [(Int, String?)])
    func `has the length that its status wants`(_ code: Int, _ length: String?) async throws {
        try await withServer { router in
            router.get("/", on: .loop) { _ in .status(HTTPResponse.Status(code: code)) }
        } _: { server in
            let client = try await server.connect()
            let response = try await client.exchange(request("GET /"))
            #expect(response.status == code)
            #expect(response["Content-Length"] == length)
            #expect(response["Transfer-Encoding"] == nil)
            #expect(try await client.exchange(request("GET /")).status == code)
        }
    }

    @Test(arguments: [204, 304])
    func `has none although a handler made one`(_ code: Int) async throws {
        let streamCount = Note(0)
        try await withServer { router in
            let status = HTTPResponse.Status(code: code)
            router.get("/text", on: .loop) { _ in .text("hello", status: status) }
            router.get("/stream", on: .loop) { _ in
                Response(status: status, body: .stream { _ in streamCount.value += 1 })
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /text") + request("GET /stream"))
            for _ in 0..<2 {
                let response = try await client.response()
                #expect(response.status == code)
                #expect(response["Content-Length"] == nil && response["Transfer-Encoding"] == nil)
            }
            #expect(client.isQuiet && streamCount.value == 0)
        }
    }
}

extension [UInt8] {
    /// Up to the empty line.
    fileprivate var head: [UInt8] {
        let end = indices.first { self[$0...].starts(with: "\r\n\r\n".utf8) } ?? endIndex
        return Array(self[..<end])
    }
}
