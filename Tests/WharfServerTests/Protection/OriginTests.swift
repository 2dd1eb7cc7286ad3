import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The origin of a request` {
    /// What a browser or another client says of where a request comes from.
    struct Case: Sendable, CustomTestStringConvertible {
        let fields: [String]
        let isOwn: Bool
        var testDescription: String { fields.joined(separator: ", ") }

        init(_ isOwn: Bool, _ fields: String...) {
            self.fields = fields
            self.isOwn = isOwn
        }
    }

    static let cases = [
        Case(true),
        Case(true, "Origin: http://localhost:8080"),
        Case(true, "Origin: HTTP://LocalHost:8080"),
        Case(true, "Origin: https://localhost:8080"),
        Case(true, "Origin: http://localhost:8080", "Sec-Fetch-Site: same-origin"),
        Case(true, "Sec-Fetch-Site: same-origin"), Case(true, "Sec-Fetch-Site: none"),
        Case(true, "Origin: https://app.example", "Sec-Fetch-Site: cross-site"),
        Case(true, "Origin: https://app.example:443"),
        Case(false, "Origin: http://app.example"), Case(false, "Origin: https://app.example:444"),
        Case(false, "Origin: null"), Case(false, "Origin: "),
        Case(false, "Origin: null", "Sec-Fetch-Site: same-origin"),
        Case(false, "Origin: http://evil.example"), Case(false, "Origin: http://localhost"),
        Case(false, "Origin: http://localhost:8081"), Case(false, "Origin: localhost:8080"),
        Case(false, "Origin: http://localhost:8080.evil.example"),
        Case(false, "Origin: http://evil.example#localhost:8080"),
        Case(false, "Origin: http://user@localhost:8080"),
        Case(false, "Origin: capacitor://localhost:8080"),
        Case(false, "Origin: http://localhost:8080, http://evil.example"),
        Case(false, "Origin: http://localhost:8080", "Origin: http://localhost:8080"),
        Case(false, "Origin: http://localhost:8080", "Sec-Fetch-Site: cross-site"),
        Case(false, "Sec-Fetch-Site: cross-site"), Case(false, "Sec-Fetch-Site: same-site"),
        Case(false, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: same-origin"),
        Case(false, "Sec-Fetch-Site: unheard-of"),
    ]

    static let writing = ["POST", "PUT", "PATCH", "DELETE", "MKCOL", "MOVE", "LOCK", "BREW"]
    static let reading = ["GET", "HEAD", "OPTIONS", "PROPFIND"]

    private let origins = AllowedOrigins(["https://app.example", "null", "no origin"])

    private func refusal(_ method: String, _ fields: [String]) throws -> String? {
        let lines = (["\(method) / HTTP/1.1", "Host: localhost:8080"] + fields)
            .map { $0 + "\r\n" }.joined()
        return origins.refusal(of: try .parsed(lines + "\r\n"))
    }

    @Test(arguments: cases)
    func `decides for who writes, and not for who reads`(_ one: Case) throws {
        for method in Self.writing {
            #expect(try (refusal(method, one.fields) == nil) == one.isOwn, "\(method)")
        }
        for method in Self.reading {
            #expect(try refusal(method, one.fields) == nil, "\(method)")
            // A page of another site could talk through what the upgrade leads to.
            let upgrade = one.fields + ["Connection: upgrade", "Upgrade: websocket"]
            #expect(try (refusal(method, upgrade) == nil) == one.isOwn, "\(method), upgrade")
        }
    }

    @Test(arguments: [
        ("http://a", "a", true), ("http://a", "a:80", true), ("http://a:80", "a", true),
        ("https://a", "a:443", true), ("https://a:443", "A.", true),
        ("http://[::1]", "[::1]", true),
        ("http://a", "a:443", false), ("https://a", "a:80", false), ("http://a", "b", false),
        ("ws://a", "a", false),
    ])
    func `has a port that is usual`(_ origin: String, _ host: String, _ isOwn: Bool) throws {
        let lines = "POST / HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\n\r\n"
        #expect(try (origins.refusal(of: .parsed(lines)) == nil) == isOwn)
    }

    @Test func `is foreign where no host is named`() throws {
        let lines = "POST / HTTP/1.0\r\nOrigin: http://localhost\r\n\r\n"
        #expect(try origins.refusal(of: .parsed(lines)) != nil)
    }

    @Test func `is looked at before a body is read`() async throws {
        try await withServer {
            $0.protection = Protection()
        } routes: { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 9)) }
        } _: { server in
            let fields = [
                "Host: localhost", "Origin: http://evil.example", "Expect: 100-continue",
                "Content-Length: 5",
            ]
            let lines = (["POST / HTTP/1.1"] + fields).map { $0 + "\r\n" }.joined()
            let response = try await server.exchange(lines + "\r\n")
            #expect(response.status == 403)
            #expect(response.text == "403 Forbidden\n")
            #expect(
                server.log.lines.first?.contains("a page of http://evil.example asks") ?? false)
        }
    }

    @Test(arguments: [
        ("localhost:8080", true), ("127.0.0.1:8080", true), ("evil.example", false),
        ("localhost.evil.example", false),
    ])
    func `is judged beside the host, for each method`(_ host: String, _ isOurs: Bool) async throws {
        try await withServer {
            $0.protection = Protection(origins: ["https://app.example"])
        } routes: { router in
            router.on(nil, "/", on: .loop) { _ in .text("ok") }
        } _: { server in
            // One connection: what was found of the request before must not count for this one.
            let client = try await server.connect()
            for (origin, isOwn) in [
                (nil, true), ("http://\(host)", true), ("https://app.example", true),
                ("http://evil.example:81", false), ("null", false),
            ] as [(String?, Bool)] {
                for method in ["GET", "OPTIONS", "PROPFIND", "POST", "PUT", "PATCH", "DELETE"] {
                    let isReading = Self.reading.contains(method)
                    let fields = ["Host: \(host)"] + (origin.map { ["Origin: \($0)"] } ?? [])
                    let lines = ["\(method) / HTTP/1.1"] + fields
                    let response = try await client.exchange(
                        lines.map { $0 + "\r\n" }.joined() + "\r\n")
                    let expected = isOurs ? (isOwn || isReading ? 200 : 403) : 421
                    #expect(response.status == expected, "\(method) from \(origin ?? "nowhere")")
                }
            }
            client.close()
        }
    }

    @Test func `may be checked for a group of routes alone`() async throws {
        try await withServer { router in
            router.post("/open", on: .loop) { _ in .text("open") }
            router.group("/shut", Protection(origins: ["https://app.example"])) { shut in
                shut.post("/it", on: .loop) { _ in .text("shut") }
            }
        } _: { server in
            func status(_ path: String, _ fields: String...) async throws -> Int {
                let lines = ["POST \(path) HTTP/1.1", "Host: localhost"] + fields
                return try await server.exchange(lines.map { $0 + "\r\n" }.joined() + "\r\n").status
            }
            let open = try await status("/open", "Origin: http://evil.example")
            #expect(open == 200)
            #expect(try await status("/shut/it", "Origin: http://evil.example") == 403)
            #expect(try await status("/shut/it", "Origin: https://app.example") == 200)
            #expect(try await status("/shut/it") == 200)
            let lines = "POST /shut/it HTTP/1.1\r\nHost: evil.example\r\n\r\n"
            #expect(try await server.exchange(lines).status == 421)
        }
    }
}
