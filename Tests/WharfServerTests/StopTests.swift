import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A server that stops` {
    /// A server by itself, as the tests here end it in their own ways.
    private struct Stage {
        let server: HTTPServer
        let hasBegun = Signal()
        let mayEnd = Signal()
        let wasCancelled = Note<Bool?>(nil)

        init(_ configure: (inout HTTPServer.Configuration) -> Void = { _ in }) throws {
            let router = Router()
            var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
            configuration.protection = nil
            configuration.log = .none
            configure(&configuration)
            server = try HTTPServer(configuration, router: router)
            router.get("/", on: .loop) { _ in .text("ok") }
            for place in [Execution.loop, .pool] {
                router.get("/wait/\(place)", on: place) { [hasBegun, mayEnd, wasCancelled] _ in
                    hasBegun.set()
                    await mayEnd.wait()
                    wasCancelled.value = Task.isCancelled
                    return .text("done")
                }
            }
        }

        func connect() async throws -> WireClient { try await WireClient(server.addresses[0]) }

        /// Starts to stop and returns once the server says so.
        func beginStop(within duration: Duration) async -> Task<Void, Never> {
            let events = server.events()
            let stopped = Task { [server] in await server.stop(within: duration) }
            for await event in events { if case .stopping = event { break } }
            return stopped
        }
    }

    @Test(arguments: ["/wait/loop", "/wait/pool"])
    func `ends what is under way, and closes what is idle`(_ path: String) async throws {
        let log = LogRecorder()
        let stage = try Stage { $0.log = log.log }
        async let running: Void = stage.server.run()
        let (idle, unused) = (try await stage.connect(), try await stage.connect())
        #expect(try await idle.exchange(request("GET /")).status == 200)
        let busy = try await stage.connect()
        try await busy.send(request("GET \(path)") + request("GET /"))
        await stage.hasBegun.wait()
        let stopped = await stage.beginStop(within: .seconds(30))
        #expect(try await idle.receiveToEnd().isEmpty)
        #expect(try await unused.receiveToEnd().isEmpty)
        #expect(busy.isQuiet)
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines(.notice) == ["stopping: 1 connection open; again to end at once"])
        stage.mayEnd.set()
        let response = try await busy.response()
        #expect(response.text == "done" && response["Connection"] == "close")
        #expect(stage.wasCancelled.value == false)
        #expect(try await busy.receiveToEnd().isEmpty)
        await stopped.value
        try await running
        await #expect(throws: Errno.connectionRefused) { try await stage.connect() }
    }

    @Test(arguments: ["/wait/loop", "/wait/pool"])
    func `cuts what takes too long`(_ path: String) async throws {
        let stage = try Stage()
        async let running: Void = stage.server.run()
        let busy = try await stage.connect()
        try await busy.send(request("GET \(path)"))
        await stage.hasBegun.wait()
        let before = ContinuousClock.now
        await stage.server.stop(within: .milliseconds(100))
        try await running
        let taken = ContinuousClock.now - before
        #expect(taken >= .milliseconds(100) && taken < .seconds(5))
        #expect(stage.wasCancelled.value == true)
        #expect(try await busy.receiveUntilCut().isEmpty)
    }

    @Test func `cuts at once when it is told again`() async throws {
        let stage = try Stage()
        async let running: Void = stage.server.run()
        let busy = try await stage.connect()
        try await busy.send(request("GET /wait/pool"))
        await stage.hasBegun.wait()
        let first = await stage.beginStop(within: .seconds(3600))
        #expect(busy.isQuiet)
        await stage.server.stop(within: .seconds(3600))
        await first.value
        try await running
        #expect(stage.wasCancelled.value == true)
    }

    @Test func `drains when its task is cancelled`() async throws {
        let stage = try Stage { $0.drainTimeout = .seconds(30) }
        let running = Task { [server = stage.server] in try await server.run() }
        let busy = try await stage.connect()
        try await busy.send(request("GET /wait/pool"))
        await stage.hasBegun.wait()
        let events = stage.server.events()
        running.cancel()
        for await event in events { if case .stopping = event { break } }
        #expect(busy.isQuiet)
        stage.mayEnd.set()
        #expect(try await busy.response().text == "done")
        try await running.value
        #expect(stage.wasCancelled.value == false)
    }

    @Test func `drains for as long as it is configured when its task is cancelled`() async throws {
        let stage = try Stage { $0.drainTimeout = .milliseconds(50) }
        let running = Task { [server = stage.server] in try await server.run() }
        let busy = try await stage.connect()
        try await busy.send(request("GET /wait/loop"))
        await stage.hasBegun.wait()
        running.cancel()
        try await running.value
        #expect(stage.wasCancelled.value == true)
    }

    @Test func `does not begin in a task that is cancelled`() async throws {
        let stage = try Stage()
        let running = Task { [server = stage.server] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await server.run()
        }
        try await running.value
        await #expect(throws: Errno.connectionRefused) { try await stage.connect() }
    }

    @Test func `runs once`() async throws {
        let stage = try Stage()
        async let running: Void = stage.server.run()
        #expect(try await stage.connect().exchange(request("GET /")).status == 200)
        await #expect(throws: HTTPServerError.hasRunAlready) { try await stage.server.run() }
        #expect(try await stage.connect().exchange(request("GET /")).status == 200)
        await stage.server.stop()
        try await running
        await #expect(throws: HTTPServerError.hasRunAlready) { try await stage.server.run() }
    }

    @Test func `may be stopped before it runs, and after it has ended`() async throws {
        let stage = try Stage()
        await stage.server.stop()
        try await stage.server.run()
        await stage.server.stop()
        await #expect(throws: Errno.connectionRefused) { try await stage.connect() }
    }

    @Test func `lets a request finish whose first byte has come`() async throws {
        let stage = try Stage()
        async let running: Void = stage.server.run()
        let client = try await stage.connect()
        #expect(try await client.exchange(request("GET /")).status == 200)
        try await client.send("GET / HTTP/1.1\r\nHo")
        // Answered on the same loop after it has read those bytes.
        #expect(try await stage.connect().exchange(request("GET /")).status == 200)
        let stopped = await stage.beginStop(within: .seconds(30))
        let response = try await client.exchange("st: test\r\n\r\n")
        #expect(response.text == "ok" && response["Connection"] == "close")
        await stopped.value
        try await running
    }
}
