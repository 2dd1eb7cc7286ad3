import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting

/// What a test of a user's sees: nothing here is internal.
@Suite(.timeLimit(.minutes(1))) struct `A client for tests` {
    struct Transport: Sendable, CustomTestStringConvertible {
        let hasSocket: Bool
        var testDescription: String { hasSocket ? "over a socket" : "in memory" }
    }

    static let transports = [Transport(hasSocket: false), Transport(hasSocket: true)]

    /// Runs the closure with a client of the routes, either way.
    private func withClient(
        _ transport: Transport, _ routes: (Router) throws -> Void,
        configure: (inout HTTPServer.Configuration) -> Void = { _ in },
        _ body: (TestClient) async throws -> Void
    ) async throws {
        let router = Router()
        try routes(router)
        guard transport.hasSocket else {
            var configuration = HTTPServer.Configuration(port: 0)
            configuration.log = .none
            configure(&configuration)
            return try await body(TestClient(router, configuration: configuration))
        }
        try await WharfTesting.TestServer.run(router, configure: configure) { client in
            try await body(client)
        }
    }

    @Test(arguments: transports, [false, true])
    func `sends compressed bodies, which are taken or not`(
        _ transport: Transport, _ isTaken: Bool
    ) async throws {
        var deflater = try Deflater(.gzip)
        var packed: [UInt8] = []
        _ = try deflater.deflate(Array("hello".utf8).span, flush: .finish, to: &packed)
        let body = packed
        try await withClient(
            transport,
            { router in
                router.post("/") { request in
                    let text = try await request.text(upTo: 99)
                    return .text("\(text) \(request.body.length.map { "\($0)" } ?? "unknown")")
                }
            }, configure: { $0.decompression = isTaken ? DecompressionPolicy() : nil }
        ) { client in
            let fields: HTTPFields = [.contentEncoding: "gzip", .contentType: "text/plain"]
            let whole = try await client.post("/", fields: fields, body: .bytes(body))
            #expect(whole.status == (isTaken ? .ok : .unsupportedMediaType))
            guard isTaken else { return }
            #expect(whole.text == "hello unknown")
            let cut = try await client.post(
                "/", fields: fields, body: .bytes(Array(body.dropLast())))
            #expect(cut.status == .badRequest)
            let strange: HTTPFields = [.contentEncoding: "br", .contentType: "text/plain"]
            #expect(
                try await client.post("/", fields: strange, body: .bytes(body)).status
                    == .unsupportedMediaType)
        }
    }

    @Test(arguments: transports)
    func `is refused a body that says itself that it is too long`(
        _ transport: Transport
    ) async throws {
        try await withClient(transport) { router in
            router.post("/unread", bodyMax: 4) { _ in .text("never") }
        } _: { client in
            let tooLong = try await client.post("/unread", body: .text("12345"))
            let fitting = try await client.post("/unread", body: .text("1234"))
            #expect(tooLong.status == .contentTooLarge && fitting.status == .ok)
        }
    }

    @Test(arguments: transports)
    func `gets what handlers answer`(_ transport: Transport) async throws {
        try await withClient(transport) { router in
            router.get("/hello/{name}") { .text("Hello, \($0.parameters["name"] ?? "")!") }
            router.get("/inline", .inline { _ in .html("<p>") })
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 99)) }
            router.get("/fault") { _ in throw HTTPError(.conflict, fields: [.eTag: "\"1\""]) }
            router.get("/stream") { _ in
                .stream { writer in for text in ["a", "b", "c"] { try await writer.write(text) } }
            }
        } _: { client in
            let hello = try await client.get("/hello/b%20b?q")
            #expect(hello.status == .ok && hello.text == "Hello, b b!" && hello.isComplete)
            #expect(hello.fields[.contentType] == "text/plain; charset=utf-8")
            #expect(hello.fields[.contentLength] == "11")
            let head = try await client.head("/hello/a")
            #expect(head.body == [] && head.fields[.contentLength] == "9")
            #expect(try await client.get("/inline").text == "<p>")
            #expect(try await client.post("/", body: .text("ü")).text == "ü")
            let chunks = TestBody.chunks([[1], [], [2, 3]])
            #expect(try await client.post("/", body: chunks).body == [1, 2, 3])
            #expect(try await client.get("/stream").text == "abc")
            let fault = try await client.get("/fault")
            #expect(fault.status == .conflict && fault.fields[.eTag] == "\"1\"")
            #expect(try await client.get("/none").status == .notFound)
            let refused = try await client.delete("/inline")
            #expect(refused.status == .methodNotAllowed)
            #expect(refused.fields[.allow] == "GET, HEAD, OPTIONS")
        }
    }

    @Test(arguments: transports)
    func `meets what stands before handlers`(_ transport: Transport) async throws {
        var users = UserList(realm: "Test")
        try users.add("ann", password: "p")
        let authentication = Authentication(BasicAuthentication(users: users))
        try await withClient(transport) { router in
            router.post("/open", on: .loop, bodyMax: 3) {
                .bytes(try await $0.body.collect(upTo: 9))
            }
            router.group("/shut", authentication) { shut in
                shut.get("") { .text($0.user?.name ?? "nobody") }
            }
        } _: { client in
            let long = try await client.post("/open", body: .text("1234"))
            #expect(long.status == .contentTooLarge)
            let chunks = try await client.post("/open", body: .chunks([[1, 2], [3, 4]]))
            #expect(chunks.status == .contentTooLarge)
            #expect(try await client.get("/shut").status == .unauthorized)
            let login: HTTPFields = [.authorization: "Basic YW5uOnA="]
            #expect(try await client.get("/shut", fields: login).text == "ann")
            #expect(try await client.get("/open", fields: [.host: "evil"]).status.code == 421)
            let foreign: HTTPFields = [.origin: "http://evil"]
            let forged = try await client.post("/open", fields: foreign, body: .text("1"))
            #expect(forged.status == .forbidden)
            #expect(try await client.send(.get, "/%zz").status == .badRequest)
            #expect(try await client.send(.get, "no path").status == .badRequest)
        }
    }

    @Test(arguments: transports)
    func `gets files, with conditions and ranges`(_ transport: Transport) async throws {
        let folder = try TemporaryFolder()
        try folder.write("0123456789", to: "file.txt")
        try await withClient(transport) { router in
            router.mount("/", try DirectoryHandler(folder: folder.path))
        } _: { client in
            let whole = try await client.get("/file.txt")
            #expect(whole.text == "0123456789")
            let part = try await client.get("/file.txt", fields: [.range: "bytes=2-4"])
            #expect(part.status == .partialContent && part.text == "234")
            let parts = try await client.get("/file.txt", fields: [.range: "bytes=0-0,8-9"])
            #expect(parts.status == .partialContent && parts.text.contains("89"))
            let tag = try #require(whole.fields[.eTag])
            let same = try await client.get("/file.txt", fields: [.ifNoneMatch: tag])
            #expect(same.status == .notModified && same.body == [])
            #expect(try await client.get("/").text.contains("file.txt"))
        }
    }

    @Test(arguments: transports)
    func `sees a body that is cut, and can cut its own`(_ transport: Transport) async throws {
        struct Failure: Error {}
        try await withClient(transport) { router in
            router.get("/cut", on: .loop) { _ in
                .stream(length: 9) {
                    try await $0.write("123")
                    throw Failure()
                }
            }
            router.get("/short", on: .loop) { _ in .stream(length: 9) { try await $0.write("123") }
            }
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 99)) }
        } _: { client in
            for path in ["/cut", "/short"] {
                let response = try await client.get(path)
                #expect(response.status == .ok && !response.isComplete)
                #expect(response.text == "123")
            }
            let cut = try await client.post("/", body: .cut([1, 2], of: 5))
            #expect(cut.status == .badRequest)
        }
    }

    @Test func `makes requests for handlers that stand alone`() async throws {
        struct Counting: HTTPHandler {
            func respond(to request: Request) async throws -> Response {
                var count = 0
                for try await piece in request.body { count += piece.count }
                return .text(
                    "\(request.method) \(request.path) \(request.peer.address.host) \(count)")
            }
        }
        let request = try Request(
            testing: .put, "/a?b", body: .chunks([[1, 2], [3]]), from: .ipv4(0x0A00_0001, port: 7))
        let response = try await Counting().respond(to: request)
        #expect(response.body.length == Int64("PUT /a 10.0.0.1 3".utf8.count))
        let failing = try Request(testing: .put, body: .cut([1], of: 2))
        await #expect(throws: HTTPError.self) { try await Counting().respond(to: failing) }
        #expect(throws: (any Error).self) { try Request(testing: .get, "no path") }
    }

    @Test func `keeps a body no longer than its exchange`() async throws {
        let kept = Note<Request?>(nil)
        let router = Router()
        router.post("/", on: .loop) { request in
            kept.value = request
            return .text("ok")
        }
        var configuration = HTTPServer.Configuration(port: 0)
        configuration.log = .none
        let client = TestClient(router, configuration: configuration)
        #expect(try await client.post("/", body: .text("late")).status == .ok)
        let request = try #require(kept.value)
        // The request holds its server, and that the route which holds the note.
        kept.value = nil
        await #expect(throws: HTTPExchangeError(.ended)) {
            try await request.body.collect(upTo: 9)
        }
    }

    @Test func `passes errors of the test on`() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await WharfTesting.TestServer.run(Router()) { _ in throw Failure() }
        }
    }
}
