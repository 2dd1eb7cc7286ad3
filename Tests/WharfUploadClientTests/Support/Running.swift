import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfUploadClient

/// Runs a server while the closure runs, and gives it the server's URL.
func withServer<R>(
    _ routes: (Router) throws -> Void, _ body: (String) async throws -> R
) async throws -> R {
    var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
    configuration.protection = nil
    configuration.log = .none
    let router = Router()
    try routes(router)
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

/// An upload client for tests: it waits for nothing for long.
func makeUploads(
    _ change: (inout UploadClient.Options) -> Void = { _ in },
    client changeClient: (inout HTTPClient.Configuration) -> Void = { _ in }
) throws -> UploadClient {
    var configuration = HTTPClient.Configuration()
    configuration.idleTimeout = .seconds(5)
    changeClient(&configuration)
    var options = UploadClient.Options()
    options.firstDelay = .milliseconds(1)
    options.delayMax = .milliseconds(5)
    change(&options)
    return UploadClient(try HTTPClient(configuration), options: options)
}

/// The error that an upload fails with.
func uploadError<R>(_ body: () async throws -> R) async -> UploadError? {
    do {
        _ = try await body()
        Issue.record("it has not failed")
        return nil
    } catch {
        if error as? UploadError == nil { Issue.record("\(error)") }
        return error as? UploadError
    }
}

/// Bytes that repeat with no short period.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

extension TemporaryFolder {
    /// The bytes of a file in it; `nil` when there is none.
    func read(_ name: String) -> [UInt8]? {
        try? WholeFile.read("\(path)/\(name)", byteCountMax: 1 << 30)
    }
}
