import Testing
import WharfBLIP
import WharfBLIPEngine
import WharfNet
import WharfServer
import WharfWebSocket

@Suite(.timeLimit(.minutes(1))) struct `A BLIP connection` {
    private static var dispatcher: BLIPDispatcher {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("Echo") { request in
            BLIPMessage(request.head.properties, body: request.body, isCompressed: true)
        }
        dispatcher.on("Error") { _ in throw BLIPError(domain: "App", code: 7, message: "no") }
        dispatcher.on("Fault") { _ in throw Errno.timedOut }
        dispatcher.on("Never") { _ in
            try await Task.sleep(for: .seconds(3600))
            return BLIPMessage()
        }
        return dispatcher
    }

    private func withConnection<Value: Sendable>(
        _ version: BLIPVersion, on place: Execution = .pool,
        _ dispatcher: BLIPDispatcher = dispatcher,
        _ body: @escaping @Sendable (BLIPConnection) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        router.blip("/blip", dispatcher, on: place)
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.protection = nil
        configuration.log = .none
        let server = try HTTPServer(configuration, router: router)
        async let running: Void = server.run()
        let result: Result<Value, any Error>
        do {
            result = .success(try await dial(server, version, body))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .zero)
        try await running
        return try result.get()
    }

    private func dial<Value: Sendable>(
        _ server: HTTPServer, _ version: BLIPVersion,
        _ body: @escaping @Sendable (BLIPConnection) async throws -> Value
    ) async throws -> Value {
        let loop = EventLoop(system: try System())
        try loop.start()
        defer { loop.stop() }
        let connector = Connector(loop: loop, pool: BlockingPool(clock: loop.system))
        var options = BLIPOptions()
        options.versions = [version]
        let dial = WebSocketDial(
            authority: "\(server.addresses[0])", path: "/blip", options: options.settled)
        return try await loop.confine {
            let socket = try await connector.connect(
                to: server.addresses, deadline: loop.now &+ 5_000_000_000)
            return try await dial.run(over: socket) { webSocket in
                try await BLIPConnection.run(over: webSocket) { try await body($0) }
            }
        }
    }

    @Test(arguments: [BLIPVersion.v2, .v3], [Execution.loop, .pool])
    func `carries many messages of all lengths at a time`(
        version: BLIPVersion, place: Execution
    ) async throws {
        try await withConnection(version, on: place) { connection in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for count in [0, 1, 100, 4096, 16_384, 200_000, 1 << 20] {
                    for isCompressed in [false, true] {
                        group.addTask {
                            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 >> 4) }
                            let reply = try await connection.send(
                                BLIPMessage(
                                    ["Profile": "Echo", "n": "\(count)"], body: body,
                                    isCompressed: isCompressed))
                            #expect(reply.body == body && reply.error == nil)
                            #expect(reply.head.properties["n"] == "\(count)")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: [BLIPVersion.v2, .v3])
    func `tells of errors`(version: BLIPVersion) async throws {
        try await withConnection(version) { connection in
            let reply = try await connection.send(BLIPMessage(["Profile": "Error"]))
            #expect(reply.error == BLIPError(domain: "App", code: 7, message: "no"))
            let none = try await connection.send(BLIPMessage(["Profile": "None"]))
            #expect(none.error == .notFound)
            let fault = try await connection.send(BLIPMessage(["Profile": "Fault"]))
            #expect(fault.error == .handlerFailed)
        }
    }

    @Test func `takes requests that want no reply`() async throws {
        let (heard, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let dispatcher = BLIPDispatcher()
        dispatcher.on("Note") { request in
            continuation.yield(request.body)
            return BLIPMessage()
        }
        try await withConnection(.v3, dispatcher) { connection in
            try await connection.sendWithoutReply(BLIPMessage(["Profile": "Note"], body: [9]))
            for await body in heard {
                #expect(body == [9])
                break
            }
        }
    }

    @Test func `a send that is cancelled ends, and others go on`() async throws {
        try await withConnection(.v3) { connection in
            let waiting = Task { try await connection.send(BLIPMessage(["Profile": "Never"])) }
            _ = try await connection.send(BLIPMessage(["Profile": "Echo"]))
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
            let reply = try await connection.send(BLIPMessage(["Profile": "Echo"], body: [1]))
            #expect(reply.body == [1])
        }
    }

    @Test func `every send fails when the connection ends`() async throws {
        let kept = try await withConnection(.v3) { connection in
            let waiting = Task { try await connection.send(BLIPMessage(["Profile": "Never"])) }
            _ = try await connection.send(BLIPMessage(["Profile": "Echo"]))
            return (connection, waiting)
        }
        let late = await #expect(throws: BLIPConnectionError.self) { _ = try await kept.1.value }
        #expect(late?.kind == .disconnected)
    }

    @Test func `is refused to who speaks another protocol`() async throws {
        await #expect(throws: (any Error).self) {
            let router = Router()
            var options = BLIPOptions()
            options.applicationProtocol = "Test"
            router.blip("/blip", BLIPDispatcher(), options: options)
            var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
            configuration.protection = nil
            let server = try HTTPServer(configuration, router: router)
            async let running: Void = server.run()
            do {
                try await dial(server, .v3) { _ in }
            } catch {
                await server.stop(within: .zero)
                try await running
                throw error
            }
            await server.stop(within: .zero)
            try await running
        }
    }
}
