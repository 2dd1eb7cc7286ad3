import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `What is used too late` {
    /// What handlers should not have kept.
    private struct Kept: Sendable {
        var body: HTTPBody?
        var writer: HTTPBodyWriter?
        var stream: UpgradedStream?
    }

    private static func routes(_ router: Router, _ kept: Note<Kept>) {
        router.get("/", on: .loop) { _ in .text("ok") }
        router.post("/body", on: .loop) { request in
            kept.update { $0.body = request.body }
            return .text("ok")
        }
        router.post("/echo", on: .loop) { request in
            await #expect(throws: HTTPExchangeError(.ended)) {
                try await kept.value.body?.collect(upTo: 100)
            }
            return .bytes(try await request.body.collect(upTo: 100))
        }
        router.get("/stream", on: .pool) { _ in
            .stream { writer in
                kept.update { $0.writer = writer }
                try await writer.write("ok")
            }
        }
        router.get("/upgrade", on: .loop) { _ in
            .upgrade(to: "x") { stream in kept.update { $0.stream = stream } }
        }
    }

    private static func expectEnded(_ caller: Caller, _ kept: Kept) async throws {
        let body = try #require(kept.body)
        let writer = try #require(kept.writer)
        let stream = try #require(kept.stream)
        let operations: [@Sendable () async throws -> Void] = [
            {
                var iterator = body.makeAsyncIterator()
                _ = try await iterator.next()
            },
            { _ = try await body.collect(upTo: 100) },
            { try await writer.write("late") },
            { try await writer.write([1]) },
            { _ = try await stream.read() },
            { try await stream.write([1]) },
            { try await stream.finishWriting() },
        ]
        for operation in operations {
            await #expect(throws: HTTPExchangeError(.ended)) { try await caller.run(operation) }
        }
    }

    @Test(arguments: Caller.allCases)
    func `throws and does no harm, also when the server is gone`(_ caller: Caller) async throws {
        let kept = Note(Kept())
        try await withServer(routes: { Self.routes($0, kept) }) { server in
            let client = try await server.connect()
            try await client.send(request("POST /body", ["Content-Length: 3"], body: "abc"))
            #expect(try await client.response().text == "ok")
            // What was kept of the first request reads nothing of the second.
            let upload = request("POST /echo", ["Content-Length: 3"], body: "def")
            #expect(try await client.exchange(upload).text == "def")
            #expect(try await client.exchange(request("GET /stream")).text == "ok")
            let wish = request("GET /upgrade", ["Connection: upgrade", "Upgrade: x"])
            let other = try await server.connect()
            #expect(try await other.exchange(wish).status == 101)
            #expect(try await other.receiveToEnd().isEmpty)
            try await Self.expectEnded(caller, kept.value)
            #expect(try await client.exchange(request("GET /")).text == "ok")
        }
        try await Self.expectEnded(caller, kept.value)
    }

    @Test(arguments: [Execution.loop, .pool])
    func `is thrown out when its exchange ends while it waits`(_ place: Execution) async throws {
        let hasPiece = Signal()
        let late = Note<Task<Int, any Error>?>(nil)
        try await withServer { router in
            router.get("/", on: .loop) { _ in .text("next") }
            router.post("/", on: place) { request in
                late.value = Task.detached {
                    var count = 0
                    for try await piece in request.body {
                        count += piece.count
                        hasPiece.set()
                    }
                    return count
                }
                await hasPiece.wait()
                return .text("early")
            }
        } _: { server in
            let client = try await server.connect()
            let start = request("POST /", ["Content-Length: 10"], body: "abc")
            #expect(try await client.exchange(start).text == "early")
            try await client.send("defghij" + request("GET /"))
            #expect(try await client.response().text == "next")
            let task = try #require(late.value)
            await #expect(throws: HTTPExchangeError(.ended)) { try await task.value }
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `to write makes the body broken, not short`(_ place: Execution) async throws {
        let count = 16 << 20
        let late = Note<Task<Void, any Error>?>(nil)
        let isWriting = Signal()
        try await withServer { router in
            router.get("/", on: place) { _ in
                .stream(length: Int64(count)) { writer in
                    late.value = Task.detached {
                        try await writer.write([1])
                        isWriting.set()
                        try await writer.write([UInt8](repeating: 1, count: count - 1))
                    }
                    await isWriting.wait()
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            await #expect(throws: (any Error).self) { try await client.response() }
            let task = try #require(late.value)
            await #expect(throws: (any Error).self) { try await task.value }
        }
    }
}
