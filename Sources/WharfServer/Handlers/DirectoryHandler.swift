public import WharfHTTP
public import WharfNet

/// Serves the files below one folder, with ranges, conditions and pages that list; of a ``Share``
/// that is writable, takes them by PUT.
///
/// Nothing outside the folder can be reached: `..` and symbolic links that lead out are 404. What
/// is neither a file nor a folder is never opened for long enough to wait for it. The folder is the
/// one that the path named when the handler was made, whatever is put in its place later.
///
/// A client that prefers `application/json` gets a list in that form:
/// `{"path": "/sub/", "isComplete": true, "entries": [{"name": "a b.txt", "type": "file",
/// "href": "a%20b.txt", "size": 5, "modified": "1994-11-06T08:49:37Z"}]}`, where a folder's type is
/// `folder`, its href ends in a slash, and it has no size.
public struct DirectoryHandler: HTTPHandler {
    let share: Share
    private(set) var options: Options
    var root: RootedDirectory { share.root }
    /// The fields of each file.
    private let fields: HTTPFields

    /// Opens the folder for reading, or throws what the system says: `ENOTDIR` if it is none.
    public init(folder path: String, options: Options = Options()) throws(Errno) {
        var sharing = Share.Options()
        sharing.followsLinks = options.followsLinks
        self.init(try Share(folder: path, options: sharing), options: options)
    }

    /// Serves a share; whether it follows links is the share's to say.
    public init(_ share: Share, options: Options = Options()) {
        self.share = share
        self.options = options
        self.options.title = options.title ?? share.name
        var fields = ReadOnly.fields(cacheAge: options.cacheAge)
        fields[.contentSecurityPolicy] = options.sandboxesFiles ? "sandbox" : nil
        self.fields = fields
    }

    /// Serves a folder that is open already, for reading, and follows links as that does.
    package init(_ root: RootedDirectory, options: Options = Options()) {
        self.init(Share(root, isWritable: false), options: options)
    }

    /// GET and HEAD, and PUT if the share is writable.
    public var allowedMethods: [HTTPRequest.Method] {
        share.isWritable ? [.get, .head, .put] : [.get, .head]
    }

    /// What the share takes, if it is writable.
    public var bodyMax: Int64? { share.isWritable ? share.options.uploadMax ?? .max : nil }

    /// Answers GET and HEAD with what lies at the path, OPTIONS with what can be asked, and PUT.
    public func respond(to request: Request) async throws -> Response {
        do {
            if request.method == .put, share.isWritable { return try await put(request) }
            switch try await find(request) {
            case .response(let response):
                try await admit(response, to: request)
                return response
            case .folder(let opened, let path): return try await list(opened, path, request)
            }
        } catch {
            throw ReadOnly.refusal(error)
        }
    }

    /// Answers with the file at a path below the folder, for handlers that choose it themselves.
    ///
    /// The path is decoded, and begins with no slash. Throws the ``HTTPError`` 404 if there is no
    /// such file, or it is hidden or a folder.
    public func file(at path: String, for request: Request) async throws -> Response {
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        do {
            guard !isHidden(names), !path.hasSuffix("/") else { throw HTTPError(.notFound) }
            do {
                return try file(at: Array(path.utf8), request, cachedOnly: true)
            } catch let error as Errno where error.isWouldBlock {
                return try await request.offload {
                    try file(at: Array(path.utf8), request, cachedOnly: false)
                }
            }
        } catch {
            throw ReadOnly.refusal(error)
        }
    }

    func isHidden(_ names: [[UInt8]]) -> Bool {
        !options.showsHidden && names.contains { $0.first == UInt8(ascii: ".") }
    }

    static func joined(_ names: [[UInt8]]) -> [UInt8] {
        var path: [UInt8] = []
        for name in names {
            if !path.isEmpty { path.append(UInt8(ascii: "/")) }
            path += name
        }
        return path
    }

    // MARK: Files

    private func file(at path: [UInt8], _ request: Request, cachedOnly: Bool) throws -> Response {
        let opened = try root.open(path, cachedOnly: cachedOnly).get()
        guard opened.status.kind == .file else { throw HTTPError(.notFound) }
        return try file(opened, request, cachedOnly: cachedOnly)
    }

    private func file(_ file: OpenedFile, _ request: Request, cachedOnly: Bool) throws -> Response {
        guard share.admitsFile(file.path) else { throw HTTPError(.notFound) }
        let slash = file.path.lastIndex(of: UInt8(ascii: "/"))
        let name = file.path[(slash.map { $0 + 1 } ?? 0)...]
        let type = options.mediaTypes.contentType(
            forFileName: String(decoding: name, as: UTF8.self))
        var fields = fields
        // Viewers of PDF are none of a page's own, and don't start in a sandbox.
        if type == "application/pdf" { fields[.contentSecurityPolicy] = nil }
        guard options.sendsPrecompressed, MediaType.isCompressible(type),
            let packed = try Precompressed.find(file, in: root, cachedOnly: cachedOnly)
        else { return .file(file, contentType: type, fields: fields) }
        return packed.response(contentType: type, fields: fields, for: request)
    }

    // MARK: Folders

    private func list(_ folder: OpenedFile, _ path: RequestPath, _ request: Request) async throws
        -> Response
    {
        let listing = try await FolderListing.read(
            folder, of: share, showsHidden: options.showsHidden, for: request)
        var response = try await list(listing, path, request)
        response.fields[.cacheControl] = "no-cache"
        response.fields[.vary] = "Accept"
        response.fields[.xContentTypeOptions] = "nosniff"
        // It has no secret in it that its reader doesn't see.
        response.compression = .allowed
        return response
    }

    private func list(_ listing: FolderListing, _ path: RequestPath, _ request: Request)
        async throws -> Response
    {
        let accepted = AcceptedTypes(parsing: request.fields[.accept])
        // Thousands of rows take longer than a loop has time for.
        if accepted.preferred(of: ["text/html", FolderJSON.contentType]) == FolderJSON.contentType {
            let json = FolderJSON(path: path.encoded, listing: listing)
            let bytes = try await request.offload { json.bytes }
            return .bytes(bytes, contentType: FolderJSON.contentType)
        }
        let page = FolderPage(
            rootTitle: options.title ?? "/", folder: path.segments, listing: listing)
        var response = Response.html(try await request.offload { page.html })
        response.fields[.contentSecurityPolicy] = FolderPage.contentSecurityPolicy
        return response
    }

    /// Sends the client to the folder's path with a slash, below which relative links work.
    ///
    /// The path is made anew from what was understood, so that it is never taken for a host.
    private static func redirect(to path: RequestPath, _ request: Request) -> Response {
        let below = path.hasTrailingSlash ? path.encoded : path.encoded + "/"
        let mount = PercentEncoding.encode(request.mountPath, for: .path)
        let query = request.query.map { "?" + $0 } ?? ""
        var response = Response.redirect(to: mount + below + query, .permanentRedirect)
        response.fields[.xContentTypeOptions] = "nosniff"
        return response
    }
}

extension DirectoryHandler: FileLookup {
    package enum Found: Sendable {
        case response(Response)
        /// To be listed.
        case folder(OpenedFile, RequestPath)
    }

    package func find(_ request: Request, cachedOnly: Bool) throws -> Found {
        if cachedOnly, hasToWait(request) { throw Errno.wouldBlock }
        let answer = try ReadOnly.answer(to: request.method, allowing: allowed)
        if let answer { return .response(answer) }
        let rest = request.pathBelowMount
        let path = try RequestPath(validating: rest.isEmpty ? "/" : rest)
        // A second text for a place would pass the route that guards the first.
        guard path.isCanonical, !isHidden(path.segments) else { throw HTTPError(.notFound) }
        let isFolderPath = path.hasTrailingSlash && !rest.isEmpty
        let opened = try root.open(Self.joined(path.segments), cachedOnly: cachedOnly).get()
        switch (opened.status.kind, isFolderPath) {
        case (.folder, true): return try folder(opened, path, request, cachedOnly: cachedOnly)
        case (.folder, false): return .response(Self.redirect(to: path, request))
        case (_, true): throw HTTPError(.notFound)
        case (_, false): return .response(try file(opened, request, cachedOnly: cachedOnly))
        }
    }

    private func folder(
        _ folder: OpenedFile, _ path: RequestPath, _ request: Request, cachedOnly: Bool
    ) throws -> Found {
        if let index = options.indexName {
            let path = Self.joined(path.segments + [Array(index.utf8)])
            switch root.open(path, cachedOnly: cachedOnly) {
            case .success(let opened) where opened.status.kind == .file:
                return .response(try file(opened, request, cachedOnly: cachedOnly))
            case .failure(let error) where cachedOnly && error.isWouldBlock:
                throw error
            // What is no file, or can't be opened, is no index either: the folder is listed.
            default: break
            }
        }
        guard options.listsFolders else { throw HTTPError(.notFound) }
        return .folder(folder, path)
    }

    package func answer(with found: Found) -> Response? {
        if case .response(let response) = found { response } else { nil }
    }
}
