import WharfNet
public import WharfServer

/// A server on a port that the system picked, for the time of one test.
public enum TestServer {
    /// Runs a server for a router while the closure runs, and stops it at once afterwards.
    ///
    ///     try await TestServer.run(router) { client in
    ///         let response = try await client.get("/hello")
    ///         #expect(response.status == .ok)
    ///     }
    ///
    /// It listens on 127.0.0.1 and logs nothing, unless it is configured otherwise. Throws what
    /// making it throws, and what the closure does.
    public static func run<Value>(
        _ router: Router, configure: (inout HTTPServer.Configuration) -> Void = { _ in },
        _ body: (TestClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.log = .none
        configure(&configuration)
        let server = try HTTPServer(configuration, router: router)
        let connector = try TestConnector(server.addresses[0])
        defer { connector.stop() }
        async let running: Void = server.run()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(TestClient(.socket(connector))))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .zero)
        try await running
        return try result.get()
    }
}
