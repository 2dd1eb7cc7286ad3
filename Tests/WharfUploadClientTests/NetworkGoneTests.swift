import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfTesting
import WharfUploadClient

/// A server that goes away for a minute, in the time of a simulation.
@Suite struct NetworkGoneTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `an upload outlasts it`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let bytes = pattern(400_000)
        try folder.write(bytes, to: Array("f".utf8))
        let simulation = Simulation(seed: seed, filter: "NetworkGone")
        let tus = FakeTus()
        tus.state.withLock { $0.stallAt = 150_000 }
        let path = folder.path + "/f"
        let result = try await simulation.run {
            try await Self.run(simulation, tus, path)
        }
        #expect(tus.state.withLock { $0.bytes } == bytes)
        #expect(tus.state.withLock { $0.creationCount } == 1)
        #expect(result.retryCount > 0)
    }

    @concurrent
    private static func run(_ simulation: Simulation, _ tus: FakeTus, _ path: String) async throws
        -> UploadResult
    {
        let client = HTTPClient(
            HTTPClient.Configuration(), loop: simulation.clientLoop, pool: simulation.pool)
        var options = UploadClient.Options()
        options.chunkSize = 100_000
        let uploads = UploadClient(client, options: options)
        let upload = Upload(
            try HTTPURL("http://127.0.0.1/up"), files: [UploadFile(path)], way: .tus)
        return try await withThrowingTaskGroup(of: UploadResult?.self) { group in
            group.addTask(executorPreference: simulation.clientLoop) {
                // Up until some of it has come, then away for a minute, and there again.
                try await serve(simulation, tus) { tus.state.withLock { $0.stallAt != nil } }
                try await simulation.clientLoop.sleep(
                    until: simulation.clientLoop.now + 60_000_000_000)
                try await serve(simulation, tus) { tus.count < 400_000 }
                return nil
            }
            group.addTask(executorPreference: simulation.clientLoop) {
                try await uploads.send(upload)
            }
            var result: UploadResult?
            while let next = try await group.next() { result = next ?? result }
            return try #require(result)
        }
    }

    private static func serve(
        _ simulation: Simulation, _ tus: FakeTus, _ isWanted: () -> Bool
    ) async throws {
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 80)])
        configuration.protection = nil
        configuration.log = .none
        let router = Router()
        tus.serve(router)
        let server = try HTTPServer(configuration, router: router, engine: simulation.engine)
        async let running: Void = server.run()
        while isWanted() {
            try await simulation.clientLoop.sleep(
                until: simulation.clientLoop.now + 5_000_000)
        }
        // Long enough for the last answer.
        await server.stop(within: .seconds(isWanted() ? 0 : 1))
        try await running
    }
}
