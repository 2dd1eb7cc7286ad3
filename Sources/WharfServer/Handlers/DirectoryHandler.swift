import WharfHTTP
public import WharfNet

/// Serves the files below one folder, for reading: with ranges, conditions and pages that list.
///
/// Nothing outside the folder can be reached: `..` and symbolic links that lead out are 404. What
/// is neither a file nor a folder is never opened for long enough to wait for it. The folder is the
/// one that the path named when the handler was made, whatever is put in its place later.
public struct DirectoryHandler: HTTPHandler {
    /// What may be seen, and how.
    public struct Options: Sendable {
        /// Whether names that begin with a dot exist for clients.
        public var showsHidden = false
        /// The file that stands for its folder, such as `index.html`; `nil`: none does.
        public var indexName: String?
        /// Whether a folder without such a file is answered with a page that lists it, or 404.
        public var listsFolders = true
        /// What the pages call the root; `nil`: the last name of its path.
        public var title: String?

        /// Lists folders, hides dot files, takes no file for an index.
        public init() {}
    }

    let root: RootedDirectory
    let options: Options

    /// Opens the folder, or throws what the system says: `ENOTDIR` if it is none.
    public init(folder path: String, options: Options = Options()) throws(Errno) {
        var options = options
        options.title = options.title ?? Self.lastName(of: path)
        self.init(try RootedDirectory(path: path, system: .withoutLoop), options: options)
    }

    /// Serves a folder that is open already.
    package init(_ root: RootedDirectory, options: Options = Options()) {
        self.root = root
        self.options = options
    }

    /// Answers GET and HEAD with what lies at the path, and OPTIONS with what can be asked.
    public func respond(to request: Request) async throws -> Response {
        do {
            var response = try await answer(request)
            response.fields[.xContentTypeOptions] = "nosniff"
            return response
        } catch {
            guard
                var answer = error as? HTTPError ?? (error as? Errno).map(HTTPError.init(opening:))
            else { throw error }
            answer.fields[.xContentTypeOptions] = "nosniff"
            throw answer
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        switch request.method {
        case .get, .head: break
        case .options: return Response(status: .noContent, fields: [.allow: Self.allowed])
        case let method where !method.isKnown: throw HTTPError(.notImplemented)
        default: throw HTTPError(.methodNotAllowed, fields: [.allow: Self.allowed])
        }
        let rest = request.pathBelowMount
        guard let path = RequestPath(rest.isEmpty ? "/" : rest) else {
            throw HTTPError(.badRequest)
        }
        let isHidden = path.segments.contains { $0.first == UInt8(ascii: ".") }
        if isHidden && !options.showsHidden { throw HTTPError(.notFound) }

        let isFolderPath = path.hasTrailingSlash && !rest.isEmpty
        let opened = try await open(path.segments, for: request)
        switch (opened.status.kind, isFolderPath) {
        case (.folder, true): return try await folder(opened, path, request)
        case (.folder, false): return Self.redirect(to: path, request)
        case (_, true): throw HTTPError(.notFound)
        case (_, false): return try file(opened, named: path.segments.last ?? [], request)
        }
    }

    private static let allowed = "GET, HEAD, OPTIONS"

    // MARK: Files and folders

    /// Opens in place what the kernel has in memory, and the rest on the pool.
    private func open(_ names: [[UInt8]], for request: Request) async throws -> OpenedFile {
        let path = Array(names.joined(separator: [UInt8(ascii: "/")]))
        switch root.open(path, cachedOnly: true) {
        case .success(let opened): return opened
        case .failure(let error) where error.isWouldBlock: break
        case .failure(let error): throw error
        }
        return try await request.offload { [root] in
            try root.open(path, cachedOnly: false).get()
        }
    }

    private func file(_ file: OpenedFile, named name: [UInt8], _ request: Request) throws
        -> Response
    {
        let type = MediaType.forFileName(String(decoding: name, as: UTF8.self))
        return try .file(file, contentType: type, for: request)
    }

    private func folder(_ folder: OpenedFile, _ path: RequestPath, _ request: Request) async throws
        -> Response
    {
        if let index = options.indexName {
            let name = Array(index.utf8)
            let opened = try? await open(path.segments + [name], for: request)
            // What is no file, or can't be opened, is no index either: the folder is listed.
            if let opened, opened.status.kind == .file {
                return try file(opened, named: name, request)
            }
        }
        guard options.listsFolders else { throw HTTPError(.notFound) }
        let listing = try await FolderListing.read(
            folder, in: root, showsHidden: options.showsHidden, for: request)
        let page = FolderPage(
            rootTitle: options.title ?? "/", folder: path.segments, listing: listing)
        // Thousands of rows take longer than a loop has time for.
        let html = try await request.offload { page.html }
        var response = Response.html(html)
        response.fields[.contentSecurityPolicy] = FolderPage.contentSecurityPolicy
        response.fields[.cacheControl] = "no-cache"
        return response
    }

    /// Sends the client to the folder's path with a slash, below which relative links work.
    ///
    /// The path is made anew from what was understood, so that it is never taken for a host.
    private static func redirect(to path: RequestPath, _ request: Request) -> Response {
        let below = path.hasTrailingSlash ? path.encoded : path.encoded + "/"
        let mount = PercentEncoding.encode(request.mountPath, for: .path)
        let query = request.query.map { "?" + $0 } ?? ""
        return .redirect(to: mount + below + query, status: .permanentRedirect)
    }

    private static func lastName(of path: String) -> String? {
        guard let name = path.split(separator: "/").last, name != ".", name != ".." else {
            return nil
        }
        return String(name)
    }
}
