import WharfHTTP
import WharfNet
import WharfServer

/// One request to a drive: what it is for, and what all methods need.
///
/// Each method is in a file of its own. What they do with files and the store is for the server's
/// pool: see `offload`.
struct WebDAVExchange: Sendable {
    let handler: WebDAVHandler
    private(set) var request: Request
    private(set) var path: ResourcePath
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

    /// The same for what is there under an equivalent name, if that is so: see
    /// ``RootedDirectory/equivalent(of:)``.
    func resolved() async throws -> WebDAVExchange {
        guard path.bytes.contains(where: { $0 >= 0x80 }) else { return self }
        let found = try await request.offload { [path, root = handler.files.folder] in
            root.equivalent(of: path.bytes)
        }
        guard let found else { return self }
        var exchange = self
        exchange.path = ResourcePath(bytes: found)
        // GET is answered by what goes by the request.
        let mount = PercentEncoding.encode(request.mountPath, for: .path)
        let query = request.query.map { "?" + $0 } ?? ""
        exchange.request.head.path = mount + exchange.path.href(isFolder: isFolderPath) + query
        return exchange
    }

    /// The path of a target below the handler.
    static func parse(_ target: some StringProtocol) throws -> RequestPath {
        let path = try RequestPath(validating: target)
        // A second text for a place would pass the route that guards the first.
        guard path.isCanonical else { throw HTTPError(.badRequest, reason: "dots in the path") }
        return path
    }

    var share: Share { handler.share }
    var locks: Locks { handler.state.locks }
    var properties: any PropertyStore { handler.state.properties }

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
    ///
    /// Who can write is told by 403 that a name is taken by something hidden, as PUT tells them.
    func target() throws -> OpenedFile {
        guard let opened = try look(at: path), opened.status.kind == .folder || !isFolderPath else {
            if share.isWritable,
                case .success = handler.files.folder.open(path.bytes, cachedOnly: false)
            {
                try checkVisible(path)
            }
            throw HTTPError(.notFound)
        }
        return opened
    }

    /// Answers GET and HEAD with what a folder for browsers does.
    ///
    /// If is not judged: webdavclient3 sends the token of a lock with whatever it asks for, also of
    /// other resources, and means no condition by it.
    func get() async throws -> Response {
        try await handler.reader(of: path).respond(to: request)
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
        switch MediaType(value)?.essence {
        case "application/xml", "text/xml": return
        // What libraries say where nobody has said anything, as for webdavclient3.
        case "application/x-www-form-urlencoded": return
        case "text/plain" where request.method == .lock: return
        default: throw WebDAVError(.unsupportedMediaType)
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
