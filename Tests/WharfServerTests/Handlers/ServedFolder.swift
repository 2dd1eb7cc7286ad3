import TestSupport
import WharfNet
import WharfServer

/// A server with one folder for one test.
struct ServedFolder {
    let folder: TemporaryFolder
    let address: SocketAddress

    /// Asks for a target with the fields, on a connection of its own.
    func ask(
        _ target: String, method: String = "GET", _ fields: [String: String] = [:]
    ) async throws -> RawResponse {
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        return try await RawClient.exchange(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(lines)\r\n",
            with: address)
    }

    /// Serves a folder while the closure runs.
    static func with(
        _ kind: PollerKind = .epoll, mount: String = "/",
        options: DirectoryHandler.Options = DirectoryHandler.Options(),
        system: System? = nil, _ body: (ServedFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let root = try RootedDirectory(path: folder.path, system: system ?? System())
        let router = Router()
        router.mount(mount, DirectoryHandler(root, options: options))
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.log = .none
        let pool = BlockingPool(clock: .withoutLoop)
        let loop = EventLoop(system: try kind.system(), pool: pool)
        let engine = ServerEngine(loops: [loop], pool: pool, isDriven: false)
        let server = try HTTPServer(configuration, router: router, engine: engine)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            try await body(ServedFolder(folder: folder, address: server.addresses[0]))
            group.cancelAll()
        }
    }
}
