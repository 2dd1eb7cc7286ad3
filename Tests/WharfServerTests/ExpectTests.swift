import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A client that expects 100` {
    private static let expectation = "Expect: 100-continue"

    private static func upload(_ path: String, _ count: Int, _ fields: [String] = []) -> String {
        request("POST \(path)", [expectation, "Content-Length: \(count)"] + fields)
    }

    @Test(arguments: [Execution.loop, .pool])
    func `is told to go on when the handler reads, not before`(_ place: Execution) async throws {
        let hasBegun = Signal()
        let mayRead = Signal()
        try await withServer { router in
            router.post("/", on: place) { request in
                hasBegun.set()
                await mayRead.wait()
                return .bytes(try await request.body.collect(upTo: 100))
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(Self.upload("/", 5))
            await hasBegun.wait()
            #expect(client.isQuiet)
            mayRead.set()
            let interim = try await client.response()
            #expect(interim.lines == ["HTTP/1.1 100 Continue"])
            try await client.send("hello")
            let response = try await client.response()
            #expect(response.status == 200 && response.text == "hello")
            #expect(response["Connection"] == nil)
            // Once only.
            #expect(client.isQuiet)
        }
    }

    @Test func `is told to go on with a chunked body`() async throws {
        try await withServer { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 100)) }
        } _: { server in
            let client = try await server.connect()
            let interim = try await client.exchange(
                request("POST /", [Self.expectation, "Transfer-Encoding: chunked"]))
            #expect(interim.status == 100)
            let response = try await client.exchange("5\r\nhello\r\n0\r\n\r\n")
            #expect(response.status == 200 && response.text == "hello")
        }
    }

    @Test func `may send without waiting`() async throws {
        try await withServer { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 100)) }
        } _: { server in
            let client = try await server.connect()
            // All of it is there when the handler asks, so that no 100 is needed.
            let response = try await client.exchange(Self.upload("/", 5) + "hello")
            #expect(response.status == 200 && response.text == "hello")
            #expect(try await client.exchange(Self.upload("/", 0)).status == 200)
        }
    }

    @Test(arguments: ["/ignore", "/refuse", "/no/where", "/long", "/guarded", "/inline"])
    func `is answered and left when nobody reads`(_ path: String) async throws {
        try await withServer { router in
            router.post("/ignore", on: .loop) { _ in .text("ignored") }
            router.post("/refuse", on: .pool) { _ in throw HTTPError(.forbidden) }
            router.post("/long", bodyMax: 4) { .bytes(try await $0.body.collect(upTo: 100)) }
            router.on(.post, "/inline", .inline { _ in .text("inline") })
            router.use(Refusing())
            router.post("/guarded", on: .loop) { .bytes(try await $0.body.collect(upTo: 100)) }
        } _: { server in
            let client = try await server.connect()
            let response = try await client.exchange(Self.upload(path, 5))
            #expect(response.status != 100)
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `is not told to go on after the final status`() async throws {
        try await withServer { router in
            router.post("/", on: .loop) { request in
                .stream { writer in
                    try await writer.write("first")
                    try await writer.write(try await request.body.collect(upTo: 100))
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(Self.upload("/", 5))
            // A client that was told neither yes nor no may send all the same.
            try await client.send("hello")
            let response = try await client.response()
            #expect(response.text == "firsthello")
            #expect(response["Connection"] == "close")

            let waiting = try await server.connect()
            try await waiting.send(Self.upload("/", 5))
            var received: [UInt8] = []
            while !String(decoding: received, as: UTF8.self).contains("first") {
                received += try await waiting.receive()
            }
            try await waiting.send("hello")
            received += try await waiting.receiveToEnd()
            #expect(!String(decoding: received, as: UTF8.self).contains("100 Continue"))
        }
    }

    @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
    func `that expects something else is refused in 1.1`(_ version: String) async throws {
        try await withServer { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 100)) }
        } _: { server in
            let client = try await server.connect()
            try await client.send(
                request(
                    "POST /", ["Expect: a-miracle", "Content-Length: 5"], version: version,
                    body: "hello"))
            let response = try await client.response()
            #expect(response.status == (version == "HTTP/1.0" ? 200 : 417))
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `gets no 100 in 1.0`() async throws {
        try await withServer { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 100)) }
        } _: { server in
            let client = try await server.connect()
            try await client.send(
                request(
                    "POST /", [Self.expectation, "Content-Length: 5"], version: "HTTP/1.0"))
            try await client.send("hello")
            let response = try await client.response()
            #expect(response.status == 200 && response.text == "hello")
        }
    }
}

/// A middleware that lets nobody through.
struct Refusing: HTTPMiddleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        throw HTTPError(.unauthorized, fields: [.wwwAuthenticate: "Basic realm=\"x\""])
    }
}
