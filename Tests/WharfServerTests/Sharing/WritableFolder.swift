import TestSupport
import Testing
import WharfNet
@testable import WharfServer

/// A server with one folder that takes files, for one test.
struct WritableFolder {
    let folder: TemporaryFolder
    let server: TestServer

    /// Serves a folder while the closure runs.
    static func with(
        isWritable: Bool = true, delegate: (any ShareDelegate)? = nil,
        options: Share.Options = Share.Options(), system: System = .withoutLoop,
        middleware: (any HTTPMiddleware)? = nil,
        _ body: (WritableFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let root = try RootedDirectory(path: folder.path, system: system)
        let share = Share(root, isWritable: isWritable, delegate: delegate, options: options)
        try await withServer { router in
            if let middleware { router.use(middleware) }
            router.mount("/", DirectoryHandler(share))
        } _: { server in
            try await body(WritableFolder(folder: folder, server: server))
        }
    }

    /// Sends a body by PUT.
    func put(
        _ target: String, _ body: String = "new", _ fields: [String] = []
    ) async throws -> WireResponse {
        try await server.exchange(
            request(
                "PUT \(target)", ["Content-Length: \(body.utf8.count)"] + fields, body: body))
    }

    func text(_ name: String) throws -> String? {
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        guard case .success = root.open(name, cachedOnly: false) else { return nil }
        let bytes = try WholeFile.read("\(folder.path)/\(name)", byteCountMax: 1 << 26)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in the folder, sorted, with those that are reserved.
    func names() throws -> [String] {
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        let opened = try root.open("", cachedOnly: false).get()
        let stream = try root.system.openStream(of: opened.handle.descriptor).get()
        defer { root.system.close(stream) }
        var names: [String] = []
        while let name = try root.system.nextName(of: stream).get() {
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}
