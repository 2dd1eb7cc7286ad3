import WharfHTTP
import WharfNet
import WharfServer

/// All that a page is made of on the server's side: what ``ShareHandler`` and ``UploaderHandler``
/// have in common.
struct PageSite: Sendable {
    let share: Share
    let options: PageOptions
    let changes: any ShareChanges
    /// What answers files and lists, and knows which names there are.
    let files: DirectoryHandler
    private let shell: PageShell
    private let plain: PlainPage

    /// What the page needs lies below it; a real folder of this name is the drive's only.
    static let prefix = "/.wharf/"

    init(_ share: Share, _ options: PageOptions, changes: any ShareChanges) {
        self.share = share
        self.options = options
        self.changes = changes
        files = DirectoryHandler(share, options: Self.fileOptions(options, of: share))
        shell = PageShell(share, options, rootTitle: files.rootTitle)
        plain = PlainPage(options: options, rootTitle: files.rootTitle)
    }

    /// How files are sent beside a page.
    static func fileOptions(_ options: PageOptions, of share: Share) -> DirectoryHandler.Options {
        var files = options.files
        files.title = options.title ?? files.title
        // What strangers upload could do in their visitors' names whatever the page can.
        files.sandboxesFiles = files.sandboxesFiles || share.isWritable
        return files
    }

    /// The answer to what belongs to the page; `nil`: it is a file, a list or a drive's.
    ///
    /// Throws the error to be answered.
    func respond(to request: Request) async throws -> Response? {
        let below = request.pathBelowMount
        if below.hasPrefix(Self.prefix) {
            return try await reserved(String(below.dropFirst(Self.prefix.count)), request)
        }
        if let answer = try await UploaderRoutes(site: self).respond(to: request) { return answer }
        guard request.method == .get || request.method == .head, below.hasSuffix("/"),
            Self.wantsPage(request)
        else { return nil }
        let path = try PagePath(encoded: below)
        guard try await isListed(path, request) else { return nil }
        if request.query.map({ $0 == PlainPage.query }) ?? false {
            return try await plain.response(path, self, request)
        }
        return shell.response(depth: path.names.count, request)
    }

    /// Whether a request asks for an archive by POST, as for more names than a URL holds.
    func onlyReads(_ request: Request) -> Bool {
        request.method == .post && request.pathBelowMount == Self.prefix + "zip"
    }

    /// Answers what lies below ``prefix``; `nil` for names that mean nothing.
    private func reserved(_ name: String, _ request: Request) async throws -> Response? {
        if let asset = Asset.served.first(where: { $0.name == name }) {
            return try only([.get, .head], request) { asset.response(to: request) }
        }
        let commands = PageCommands(site: self)
        switch (name, request.method) {
        case ("create", .post): return try await commands.create(request)
        case ("move", .post): return try await commands.move(request)
        case ("delete", .post): return try await commands.delete(request)
        case ("zip", .get), ("zip", .post): return try await archive(request)
        case ("events", .get): return try await FolderEvents(site: self).response(request)
        case ("qr", .get), ("qr", .head): return try codePicture(request)
        case ("form", .post): return try await plain.take(request, self)
        case ("create", _), ("move", _), ("delete", _), ("form", _):
            return try only([.post], request) { .status(.noContent) }
        case ("zip", _): return try only([.get, .post], request) { .status(.noContent) }
        case ("events", _), ("qr", _): return try only([.get], request) { .status(.noContent) }
        default: return nil
        }
    }

    /// Answers one of some methods, and OPTIONS; throws 405 for others.
    private func only(
        _ methods: [HTTPRequest.Method], _ request: Request, _ answer: () -> Response
    ) throws -> Response {
        let allow = (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        if request.method == .options {
            return Response(status: .noContent, fields: [.allow: allow])
        }
        guard methods.contains(request.method) else {
            throw HTTPError(.methodNotAllowed, fields: [.allow: allow])
        }
        return answer()
    }

    /// Whether the client names HTML, as browsers do, and doesn't want JSON more.
    private static func wantsPage(_ request: Request) -> Bool {
        guard let accept = request.fields[.accept] else { return false }
        let accepted = AcceptedTypes(parsing: accept)
        return accept.lowercased().contains("text/html")
            && accepted.preferred(of: ["text/html", "application/json"]) == "text/html"
    }

    /// Whether there is a folder to be listed, and no index in its place.
    private func isListed(_ path: PagePath, _ request: Request) async throws -> Bool {
        guard files.listsFolders, !files.hides(path.bytes) else { return false }
        let index = files.indexName.map { path.appending(Array($0.utf8)) }
        do {
            return try isListed(path, index, cachedOnly: true)
        } catch let error as Errno where error.isWouldBlock {
            return try await request.offload { try isListed(path, index, cachedOnly: false) }
        }
    }

    private func isListed(_ path: PagePath, _ index: PagePath?, cachedOnly: Bool) throws -> Bool {
        guard try kind(path, cachedOnly) == .folder else { return false }
        guard let index else { return true }
        return try kind(index, cachedOnly) != .file
    }

    /// What lies at a path; `nil`: nothing that can be had.
    private func kind(_ path: PagePath, _ cachedOnly: Bool) throws -> FileStatus.Kind? {
        switch files.folder.open(path.bytes, cachedOnly: cachedOnly) {
        case .success(let opened): return opened.status.kind
        case .failure(let error) where cachedOnly && error.isWouldBlock: throw error
        case .failure: return nil
        }
    }
}
