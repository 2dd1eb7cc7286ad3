import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting
import WharfUploads

/// A folder that takes uploads, and a client of it.
struct UploadFolder {
    let folder: TemporaryFolder
    let state: TemporaryFolder
    let client: TestClient

    init(
        folder: TemporaryFolder? = nil, state: TemporaryFolder? = nil,
        delegate: (any ShareDelegate)? = nil, sharing: Share.Options = Share.Options(),
        isWritable: Bool = true, showsHidden: Bool = false,
        _ configure: (inout ResumableUploads.Options) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        let state = try state ?? TemporaryFolder()
        self.folder = folder
        self.state = state
        client = TestClient(
            try Self.router(
                folder, state, delegate, sharing, isWritable: isWritable, showsHidden: showsHidden,
                configure))
    }

    /// What serves the folder.
    static func router(
        _ folder: TemporaryFolder, _ state: TemporaryFolder,
        _ delegate: (any ShareDelegate)? = nil, _ sharing: Share.Options = Share.Options(),
        isWritable: Bool = true, showsHidden: Bool = false,
        _ configure: (inout ResumableUploads.Options) -> Void = { _ in }
    ) throws -> Router {
        let share = try Share(
            folder: folder.path, isWritable: isWritable, delegate: delegate, options: sharing)
        var options = ResumableUploads.Options()
        options.stateFolder = state.path
        configure(&options)
        var files = DirectoryHandler.Options()
        files.showsHidden = showsHidden
        let router = Router()
        router.use(NamedUser())
        router.mount(
            "/",
            try ResumableUploads(
                share, before: DirectoryHandler(share, options: files), options: options))
        return router
    }

    // MARK: tus

    /// Sends a request of tus.
    func tus(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:],
        _ body: TestBody = .none
    ) async throws -> TestResponse {
        var all: HTTPFields = [.tusResumable: "1.0.0"]
        for field in fields { all[field.name] = field.value }
        return try await client.send(method, target, fields: all, body: body)
    }

    /// Begins an upload in the folder's root: its URL.
    func create(_ name: String, length: Int?, _ fields: HTTPFields = [:]) async throws -> String {
        var fields = fields
        fields[.uploadMetadata] = Self.metadata(["filename": name])
        if let length {
            fields[.uploadLength] = "\(length)"
        } else {
            fields[.uploadDeferLength] = "1"
        }
        let answer = try await tus(.post, "/", fields)
        #expect(answer.status == .created)
        return try Self.path(answer)
    }

    /// The path of the URL that an answer leads to.
    static func path(_ answer: TestResponse) throws -> String {
        let location = try #require(answer.fields[.location])
        let host = "http://localhost"
        #expect(location.hasPrefix(host))
        return String(location.dropFirst(host.utf8.count))
    }

    /// Sends bytes behind an offset.
    func append(
        _ text: String, to url: String, at offset: Int, _ fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        var fields = fields
        fields[.uploadOffset] = "\(offset)"
        fields[.contentType] = "application/offset+octet-stream"
        return try await tus(.patch, url, fields, .text(text))
    }

    /// What HEAD says of the offset; nil when there is no such upload.
    func offset(of url: String) async throws -> Int? {
        let answer = try await tus(.head, url)
        return answer.status == .ok ? answer.fields[.uploadOffset].flatMap { Int($0) } : nil
    }

    static func metadata(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }
            .map { "\($0.key) \(Base64.encode(Array($0.value.utf8)))" }.joined(separator: ",")
    }

    // MARK: Files

    /// What a file has in it; nil without one.
    func text(_ name: String) throws -> String? {
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        guard case .success = root.open(name, cachedOnly: false) else { return nil }
        let bytes = try WholeFile.read("\(folder.path)/\(name)", byteCountMax: 1 << 26)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in the folder, sorted, with those that are reserved.
    func names() throws -> [String] { try Self.names(in: folder) }

    static func names(in folder: TemporaryFolder) throws -> [String] {
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

/// Believes what a field says of who asks.
struct NamedUser: HTTPMiddleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        var request = request
        request.user = request.fields[.from].map { AuthenticatedUser(name: $0) }
        return try await next(request)
    }
}
