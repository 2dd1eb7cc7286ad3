import WharfHTTP
import WharfNet
import WharfServer

/// One request to a drive: what it is for, and what all methods need.
///
/// Each method is in a file of its own. What they do with files and the store is for the server's
/// pool: see `offload`.
struct WebDAVExchange: Sendable {
    let handler: WebDAVHandler
    let request: Request
    let path: ResourcePath
    /// Whether the path was sent with a slash at its end.
    let isFolderPath: Bool
    /// Seconds since 1970.
    let now: Int64

    /// Throws an error for a path that could be understood in two ways.
    init(_ handler: WebDAVHandler, _ request: Request) throws {
        self.handler = handler
        self.request = request
        let rest = request.pathBelowMount
        let parsed = try Self.parse(rest.isEmpty ? "/" : rest)
        path = ResourcePath(parsed)
        isFolderPath = parsed.hasTrailingSlash
        now = request.unixTime
    }

    /// The path of a target below the handler.
    static func parse(_ target: some StringProtocol) throws -> RequestPath {
        let path = try RequestPath(validating: target)
        // A second text for a place would pass the route that guards the first.
        guard path.isCanonical else { throw HTTPError(.badRequest, reason: "dots in the path") }
        return path
    }

    var share: Share { handler.share }
    var locks: Locks { handler.locks }
    var properties: any PropertyStore { handler.properties }

    /// What hrefs begin with.
    var prefix: String {
        handler.options.basePath + PercentEncoding.encode(request.mountPath, for: .path)
    }

    func href(_ path: ResourcePath, isFolder: Bool) -> String {
        prefix + path.href(isFolder: isFolder)
    }

    func href(of lock: Lock) -> String { href(lock.root, isFolder: lock.isFolder) }

    /// What lies at a path, or `nil`; for the pool.
    func look(at path: ResourcePath) throws -> OpenedFile? {
        guard !handler.files.hides(path.bytes) else { return nil }
        switch handler.files.folder.open(path.bytes, cachedOnly: false) {
        case .success(let opened):
            let exists = opened.status.kind == .folder || share.admitsFile(path.bytes)
            return exists ? opened : nil
        case .failure(.notFound), .failure(.notDirectory), .failure(.crossDevice),
            .failure(.symbolicLinkLoop), .failure(.nameTooLong), .failure(.invalidArgument):
            return nil
        case .failure(let error): throw error
        }
    }

    /// Throws 403 for a name that would exist for nobody.
    func checkVisible(_ path: ResourcePath) throws {
        guard !handler.files.hides(path.bytes) else {
            throw WebDAVError(.forbidden, reason: "a hidden name")
        }
    }

    /// What the request is for, or 404; for the pool.
    func target() throws -> OpenedFile {
        guard let opened = try look(at: path), opened.status.kind == .folder || !isFolderPath else {
            throw HTTPError(.notFound)
        }
        return opened
    }

    /// Answers GET and HEAD with what a folder for browsers does.
    func get() async throws -> Response {
        if request.fields.contains(.if) {
            try await request.offload { try checkConditions(of: look(at: path)?.status) }
        }
        return try await handler.reader(of: path).respond(to: request)
    }

    /// The body as XML; `nil` if there is none.
    func xml() async throws -> XMLElement? {
        let bytes = try await request.body.collect(upTo: handler.options.xmlByteCountMax)
        if bytes.isEmpty { return nil }
        try checkType()
        var limits = XMLLimits()
        limits.byteCountMax = handler.options.xmlByteCountMax
        return try await request.offload { [limits] in try XMLReader.read(bytes, limits: limits) }
    }

    /// RFC 4918 §8.2: both types of XML are taken, and so is none, which rclone and others send.
    func checkType() throws {
        guard let value = request.fields[.contentType] else { return }
        let type = MediaType(value)
        guard ["application/xml", "text/xml"].contains(type?.essence) else {
            throw WebDAVError(.unsupportedMediaType)
        }
    }

    /// What the field Depth says; `usual` without one.
    func depth(_ usual: Depth = .infinity) throws -> Depth {
        guard let value = request.fields[.depth] else { return usual }
        guard let depth = Depth(parsing: value) else {
            throw WebDAVError(.badRequest, reason: "Depth: \(value)")
        }
        return depth
    }
}
