import Testing
import WharfNet
@testable import WharfServer

/// A server on a port that the system picked, for the time of one test.
struct TestServer: Sendable {
    let server: HTTPServer
    let log: LogRecorder

    var address: SocketAddress { server.addresses[0] }

    func connect(receiveBufferSize: Int32? = nil) async throws -> WireClient {
        try await WireClient(address, receiveBufferSize: receiveBufferSize)
    }

    /// Sends a request on a connection of its own and reads the response.
    func exchange(_ request: String) async throws -> WireResponse {
        try await connect().exchange(request)
    }
}

/// Runs a server while the closure runs, and stops it at once afterwards.
///
/// It listens on 127.0.0.1 unless it is configured otherwise, and keeps its log.
func withServer<R>(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    router: Router = Router(), routes: (Router) -> Void,
    _ body: (TestServer) async throws -> R
) async throws -> R {
    var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
    // Requests of tests name no host that there is.
    configuration.protection = nil
    let log = LogRecorder()
    configuration.log = log.log
    configure(&configuration)
    routes(router)
    let server = try HTTPServer(configuration, router: router)
    async let running: Void = server.run()
    let result: Result<R, any Error>
    do {
        result = .success(try await body(TestServer(server: server, log: log)))
    } catch {
        result = .failure(error)
    }
    await server.stop(within: .zero)
    try await running
    return try result.get()
}

/// Keeps the lines of a log.
final class LogRecorder: Sendable {
    private let kept = Locked<[(level: HTTPLog.Level, line: String)]>([])

    var log: HTTPLog { log(.notice) }

    func log(_ level: HTTPLog.Level) -> HTTPLog {
        HTTPLog(level: level) { level, line in self.kept.withLock { $0.append((level, line)) } }
    }

    var lines: [String] { kept.withLock { $0.map(\.line) } }

    /// The lines of a level.
    func lines(_ level: HTTPLog.Level) -> [String] {
        kept.withLock { $0.filter { $0.level == level }.map(\.line) }
    }
}

/// A value that a handler leaves for its test.
final class Note<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) { state = Locked(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func update<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        try state.withLock { try body(&$0) }
    }
}

/// The text of a request.
func request(
    _ line: String, _ fields: [String] = [], version: String = "HTTP/1.1", body: String = ""
) -> String {
    let host = version == "HTTP/1.0" ? [] : ["Host: test"]
    return (["\(line) \(version)"] + host + fields).map { $0 + "\r\n" }.joined() + "\r\n" + body
}
