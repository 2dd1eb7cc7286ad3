import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer

/// Runs a server while the closure runs, and gives it the server's URL.
func withServer<R>(
    _ routes: (Router) -> Void, _ body: (String) async throws -> R
) async throws -> R {
    var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
    configuration.protection = nil
    configuration.log = .none
    let router = Router()
    routes(router)
    let server = try HTTPServer(configuration, router: router)
    async let running: Void = server.run()
    let result: Result<R, any Error>
    do {
        result = .success(try await body("http://127.0.0.1:\(server.addresses[0].port)"))
    } catch {
        result = .failure(error)
    }
    await server.stop(within: .zero)
    try await running
    return try result.get()
}

/// Runs a scripted server while the closure runs.
func withScripts<R>(
    _ scripts: [[ScriptedServer.Step]], _ body: (ScriptedServer) async throws -> R
) async throws -> R {
    let server = try ScriptedServer(scripts)
    defer { server.stop() }
    return try await body(server)
}

/// A client for tests: it waits for nothing for long.
func makeClient(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) throws
    -> HTTPClient
{
    var configuration = HTTPClient.Configuration()
    configuration.idleTimeout = .seconds(5)
    configuration.continueTimeout = .milliseconds(200)
    change(&configuration)
    return try HTTPClient(configuration)
}

/// The kind of the error that the closure throws; `nil` when it throws none of ours.
func errorKind<R>(_ body: () async throws -> R) async -> HTTPClientError.Kind? {
    do {
        _ = try await body()
        return nil
    } catch {
        if (error as? HTTPClientError) == nil { Issue.record("\(error)") }
        return (error as? HTTPClientError)?.kind
    }
}

/// Bytes that repeat with no short period.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
