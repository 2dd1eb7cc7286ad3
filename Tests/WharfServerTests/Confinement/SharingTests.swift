import Testing
import WharfHTTP
@testable import WharfServer

/// What handlers must not do, and what then happens: an error, not a crash, a hang or a mix-up.
@Suite(.timeLimit(.minutes(1))) struct `What two tasks use at once` {
    private static let wish = request("GET /", ["Connection: upgrade", "Upgrade: x"])

    /// Runs the operation in two tasks; how many were told that it is in use already.
    private static func twice<Value: Sendable>(
        _ busy: Signal, _ operation: @escaping @Sendable () async throws -> Value
    ) async -> (values: [Value], kinds: [HTTPExchangeError.Kind]) {
        await withTaskGroup(of: Result<Value, any Error>.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do {
                        return .success(try await operation())
                    } catch {
                        busy.set()
                        return .failure(error)
                    }
                }
            }
            var values: [Value] = []
            var kinds: [HTTPExchangeError.Kind] = []
            for await result in group {
                switch result {
                case .success(let value): values.append(value)
                case .failure(let error as HTTPExchangeError): kinds.append(error.kind)
                case .failure(let error): Issue.record("\(error)")
                }
            }
            return (values, kinds)
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `is refused to the second that reads`(_ place: Execution) async throws {
        let busy = Signal()
        try await withServer { router in
            router.post("/", on: place) { request in
                let (values, kinds) = await Self.twice(busy) {
                    var iterator = request.body.makeAsyncIterator()
                    return try await iterator.next()
                }
                #expect(kinds == [.alreadyInUse])
                let rest = try await request.body.collect(upTo: 100)
                return .bytes(values.compactMap { $0 }.reduce([], +) + rest)
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("POST /", ["Content-Length: 5"]))
            await busy.wait()
            try await client.send("hello")
            #expect(try await client.response().text == "hello")
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `is refused to the second that writes`(_ place: Execution) async throws {
        let busy = Signal()
        let count = 16 << 20
        try await withServer { router in
            router.get("/", on: place) { _ in
                .stream(length: Int64(count)) { writer in
                    let bytes = [UInt8](repeating: 1, count: count)
                    let (values, kinds): ([Void], _) = await Self.twice(busy) {
                        try await writer.write(bytes)
                    }
                    #expect(values.count == 1 && kinds == [.alreadyInUse])
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            await busy.wait()
            #expect(try await client.response().body.count == count)
        }
    }

    @Test func `is refused to the second that uses an upgraded connection`() async throws {
        let (busyReading, busyWriting) = (Signal(), Signal())
        let count = 16 << 20
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .upgrade(to: "x") { stream in
                    let reads = await Self.twice(busyReading) { try await stream.read() }
                    #expect(reads.values.count == 1 && reads.kinds == [.alreadyInUse])
                    let bytes = [UInt8](repeating: 1, count: count)
                    let writes = await Self.twice(busyWriting) { try await stream.write(bytes) }
                    #expect(writes.values.count == 1 && writes.kinds == [.alreadyInUse])
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            await busyReading.wait()
            try await client.send("x")
            await busyWriting.wait()
            #expect(try await client.receiveToEnd().count == count)
        }
    }

    @Test(arguments: Caller.allCases, [Execution.loop, .pool])
    func `never mixes or loses bytes`(_ caller: Caller, _ place: Execution) async throws {
        let count = 1 << 20
        try await withServer { router in
            router.post("/", on: place) { request in
                let total = await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            var count = 0
                            var hasEnded = false
                            while !hasEnded {
                                do {
                                    let piece = try await caller.run {
                                        var iterator = request.body.makeAsyncIterator()
                                        return try await iterator.next()
                                    }
                                    count += piece?.count ?? 0
                                    hasEnded = piece == nil
                                } catch {
                                    let kind = (error as? HTTPExchangeError)?.kind
                                    #expect(kind == .alreadyInUse)
                                    await Task.yield()
                                }
                            }
                            return count
                        }
                    }
                    return await group.reduce(0, +)
                }
                return .text("\(total)")
            }
        } _: { server in
            let client = try await server.connect()
            for _ in 0..<2 {
                try await client.send(request("POST /", ["Content-Length: \(count)"]))
                try await client.send([UInt8](repeating: 0, count: count))
                #expect(try await client.response().text == "\(count)")
            }
        }
    }
}
