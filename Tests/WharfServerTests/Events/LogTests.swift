import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A server's log` {
    struct Refusal: Sendable {
        let request: String
        let status: Int
        let reason: String

        init(_ request: String, _ status: Int, _ reason: String) {
            self.request = request
            self.status = status
            self.reason = reason
        }
    }

    @Test(arguments: [
        Refusal("GET / HTTP/1.1\r\n\r\n", 400, "no Host"),
        Refusal("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400, "field name is not a token"),
        Refusal("GET /\u{1B}[31m HTTP/1.1\r\n\r\n", 400, "forbidden character"),
        Refusal("GET /\(String(repeating: "a", count: 9000))", 414, "request line too long"),
        Refusal(request("GET /", ["Expect: x"]), 417, "unknown expectation"),
        Refusal(request("BREW /pot"), 501, "BREW /pot: 501: unknown method"),
        Refusal(
            "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 501, "CONNECT a:1: 501: unknown method"),
        Refusal(request("GET /reason?\\"), 409, "because \\x0d\\x0aof\\x1b[31m \\xc3\\xbc"),
        Refusal(request("GET /fault"), 500, "Fault"),
        Refusal(request("POST /", ["Content-Length: 11"]), 413, "longer than 10 bytes"),
        Refusal(
            request("POST /", ["Transfer-Encoding: chunked"], body: "b\r\n01234567890\r\n"), 413,
            "longer than 10 bytes"),
        Refusal(
            request("POST /", ["Transfer-Encoding: chunked"], body: "x\r\n"), 400,
            "chunk size is not hexadecimal"),
        Refusal(request("POST /", ["Content-Length: 5"], body: "1"), 400, "ended early"),
    ])
    func `has one line for a refusal, with its reason`(_ refusal: Refusal) async throws {
        struct Fault: Error {}
        try await withServer { router in
            router.post("/", on: .loop, bodyMax: 10) { .bytes(try await $0.body.collect(upTo: 99)) }
            router.get("/reason", on: .pool) { _ in
                throw HTTPError(.conflict, reason: "because \r\nof\u{1B}[31m ü")
            }
            router.get("/fault", on: .pool) { _ in throw Fault() }
        } _: { server in
            let client = try await server.connect()
            try await client.send(refusal.request)
            client.finish()
            #expect(try await client.response().status == refusal.status)
            _ = try await client.receiveUntilCut()
            let lines = server.log.lines
            #expect(lines.count == 1, "\(lines)")
            let line = try #require(lines.first)
            #expect(line.contains(refusal.reason) && line.contains("\(refusal.status)"), "\(line)")
            #expect(server.log.lines(.error).count == (refusal.status == 500 ? 1 : 0))
            #expect(line.hasPrefix("127.0.0.1:"))
            #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        }
    }

    @Test func `has a line for a head that takes too long`() async throws {
        try await withServer({ $0.headTimeout = .zero }) { _ in
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange("G").status == 408)
            #expect(server.log.lines.count == 1)
            #expect(server.log.lines[0].hasSuffix("refused, 408: the head took too long"))
        }
    }

    @Test(arguments: [
        ("/..", "a dot segment"), ("/a%2fb", "has a slash"),
        ("/a%00", "a NUL"), ("/a\\b", "a backslash"), ("/%x", "malformed escape"),
        (String(repeating: "/a", count: 600), "too many segments"),
    ])
    func `says why a folder refuses a path`(_ target: String, _ reason: String) async throws {
        let folder = try DirectoryHandler(folder: "/")
        try await withServer { router in
            router.mount("/", folder)
        } _: { server in
            let response = try await server.exchange(request("GET \(target)"))
            #expect(response.status == 400)
            #expect(server.log.lines(.notice).count == 1 && server.log.lines.count == 1)
            #expect(server.log.lines[0].contains(reason), "\(server.log.lines)")
        }
    }

    @Test func `says which method a folder does not know`() async throws {
        let folder = try DirectoryHandler(folder: "/")
        try await withServer { router in
            router.mount("/", folder)
        } _: { server in
            let response = try await server.exchange(request("BREW /"))
            #expect(response.status == 501)
            #expect(server.log.lines(.notice).count == 1 && server.log.lines.count == 1)
            #expect(server.log.lines[0].hasSuffix("BREW /: 501: unknown method"))
        }
    }

    @Test func `has a line of information for a head that ends early`() async throws {
        let log = LogRecorder()
        try await withServer {
            $0.log = log.log(.info)
        } routes: { _ in
        } _: { server in
            let client = try await server.connect()
            try await client.send("GET /fi")
            client.finish()
            _ = try await client.receiveUntilCut()
        }
        #expect(log.lines.count == 1)
        #expect(log.lines(.info).first?.hasSuffix(": gone after 7 bytes of a head") ?? false)
    }

    @Test func `has one line a second for what it has no thread for`() {
        let limit = LogLimit(seconds: 1)
        #expect(limit.pass(at: 5) == 0)
        #expect(limit.pass(at: 6) == nil)
        #expect(limit.pass(at: 1_000_000_004) == nil)
        #expect(limit.pass(at: 1_000_000_005) == 2)
        #expect(limit.pass(at: 2_000_000_004) == nil)
        #expect(limit.pass(at: 9_000_000_000) == 1)
    }

    @Test func `is silent about what is answered and about what ends well`() async throws {
        try await withServer { router in
            router.get("/", on: .pool) { _ in .text("ok") }
        } _: { server in
            let client = try await server.connect()
            for path in ["/", "/none"] { _ = try await client.exchange(request("GET \(path)")) }
            client.close()
            let other = try await server.connect()
            try await other.send("GET / HT")
            other.close()
            _ = try await server.exchange(request("GET /"))
            #expect(server.log.lines == [])
        }
    }

    @Test func `has a line for each request where it is wanted`() async throws {
        let log = LogRecorder()
        try await withServer {
            $0.log = log.log(.info)
        } routes: { router in
            router.get("/", on: .pool) { _ in .text("four") }
        } _: { server in
            let client = try await server.connect()
            for line in ["GET /?q", "HEAD /", "GET /none"] {
                _ = try await client.exchange(request(line, ["Authorization: Basic hidden"]))
            }
            client.close()
        }
        let lines = log.lines(.info).map { $0.split(separator: " ").dropFirst().prefix(4) }
        #expect(
            lines.map { $0.joined(separator: " ") } == [
                "GET /?q 200 4", "HEAD / 200 0", "GET /none 404 14",
            ])
        #expect(!log.lines.contains { $0.contains("hidden") })
    }

    @Test func `makes what clients send harmless`() {
        #expect(HTTPLog.escape("a b~") == "a b~")
        #expect(HTTPLog.escape("a\r\n\tb") == "a\\x0d\\x0a\\x09b")
        #expect(HTTPLog.escape("\\x0a \u{7F} ü") == "\\x5cx0a \\x7f \\xc3\\xbc")
        for text in ["a", "\\", "\u{1F600}", "\0"] {
            let line = HTTPLog.escape(String(repeating: text, count: 5000))
            #expect(line.utf8.count <= 2048 && line.utf8.count > 2000)
            #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_827_696_007, "2000-02-29T12:34:56.007Z"),
        (1_700_000_000_999, "2023-11-14T22:13:20.999Z"),
    ])
    func `says when it was`(_ milliseconds: Int64, _ time: String) {
        let line = HTTPLog.stamped(.notice, "it", milliseconds: milliseconds)
        #expect(line == "\(time) wharf notice: it")
    }

    @Test func `makes no line below its level`() {
        let log = LogRecorder()
        for level in HTTPLog.Level.allCases {
            let recorder = log.log(level)
            recorder(.notice, "at \(level)")
        }
        #expect(log.lines == ["at debug", "at info", "at notice"])
        #expect(HTTPLog.Level.debug < .info && HTTPLog.Level.notice < .error)
    }
}
