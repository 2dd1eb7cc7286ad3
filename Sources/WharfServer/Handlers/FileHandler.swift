import WharfHTTP
public import WharfNet

/// Serves one file, for reading: with ranges and conditions.
///
/// It is opened anew for each request, so that a file that was put in its place is served too.
/// Mounted at a path it answers that path and nothing below. Mounted at `/` it answers every path
/// that nothing else does, which is what an application of one page wants.
public struct FileHandler: HTTPHandler {
    /// What is said of the file.
    public struct Options: Sendable {
        /// The media type; `nil`: what the extension says.
        public var contentType: String?
        /// How long clients may keep the file before they ask again.
        ///
        /// Zero: they may keep it and are to ask each time. `nil`: nothing is said.
        public var cacheAge: Duration? = .zero
        /// Whether browsers save the file instead of showing it.
        public var isAttachment = false
        /// The name to save it under; `nil`: its own.
        public var attachmentName: String?

        /// A file that is shown and asked for each time.
        public init() {}
    }

    private let folder: RootedDirectory
    private let name: [UInt8]
    private let contentType: String
    private let fields: HTTPFields

    /// Looks whether the file can be read, or throws what the system says: `EISDIR` if it is a folder.
    ///
    /// A symbolic link is followed while it stays in the folder that the path names.
    public init(file path: String, options: Options = Options()) throws(Errno) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let nameStart = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
        let folder = nameStart == path.startIndex ? "." : String(path[..<nameStart])
        try self.init(
            in: RootedDirectory(path: folder, system: System()),
            name: String(path[nameStart...]), options: options)
    }

    init(in folder: RootedDirectory, name: String, options: Options) throws(Errno) {
        self.folder = folder
        self.name = Array(name.utf8)
        contentType = options.contentType ?? MediaType.forFileName(name)
        var fields = ReadOnly.fields(cacheAge: options.cacheAge)
        if options.isAttachment {
            fields[.contentDisposition] = ContentDisposition.attachment(
                named: options.attachmentName ?? name)
        }
        self.fields = fields
        guard try folder.open(self.name, cachedOnly: false).get().status.kind == .file else {
            throw .isDirectory
        }
    }

    /// Answers GET and HEAD with the file, and OPTIONS with what can be asked.
    public func respond(to request: Request) async throws -> Response {
        do {
            return try await find(request)
        } catch {
            throw ReadOnly.refusal(error)
        }
    }
}

extension FileHandler: FileLookup {
    package func find(_ request: Request, cachedOnly: Bool) throws -> Response {
        guard request.mountPath.isEmpty || request.pathBelowMount.isEmpty else {
            throw HTTPError(.notFound)
        }
        if let answer = try ReadOnly.answer(to: request.method) { return answer }
        let file = try folder.open(name, cachedOnly: cachedOnly).get()
        guard file.status.kind == .file else { throw HTTPError(.notFound) }
        return .file(file, contentType: contentType, fields: fields)
    }

    package func answer(with found: Response) -> Response? { found }
}
