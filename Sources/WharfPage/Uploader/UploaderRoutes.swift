import WharfHTTP
import WharfNet
import WharfServer

/// The routes of GCDWebUploader, for programs that were made for it: forms with decoded paths.
///
/// A name that is taken is never an error: ` (1)` is added to the new one.
struct UploaderRoutes: Sendable {
    let site: PageSite

    /// Answers one of the routes; `nil` if the request is for none of them.
    ///
    /// `/list` and `/download` without a `path` may be files. Throws the error to be answered.
    func respond(to request: Request) async throws -> Response? {
        switch (request.pathBelowMount, request.method) {
        case ("/list", .get), ("/list", .head):
            guard let path = try queriedPath(request) else { return nil }
            return try await list(path, request)
        case ("/download", .get), ("/download", .head):
            guard let path = try queriedPath(request) else { return nil }
            return try await download(path, request)
        case ("/upload", .post): return try await upload(request)
        case ("/move", .post): return try await move(request)
        case ("/delete", .post): return try await delete(request)
        case ("/create", .post): return try await create(request)
        default: return nil
        }
    }

    private func queriedPath(_ request: Request) throws -> PagePath? {
        let query = request.query.flatMap { URLEncodedForm(parsing: $0, fieldCountMax: 16) }
        return try query?["path"].map(visible)
    }

    /// Throws 403 for a hidden name.
    private func visible(_ text: String) throws -> PagePath {
        let path = try PagePath(text: text)
        guard !site.files.hides(path.bytes) else {
            throw HTTPError(.forbidden, reason: "a hidden name")
        }
        return path
    }

    // MARK: Reading

    private func list(_ path: PagePath, _ request: Request) async throws -> Response {
        let folder: OpenedFile
        do {
            folder = try await request.offload {
                try site.files.folder.open(path.bytes, cachedOnly: false).get()
            }
        } catch let error as Errno {
            throw HTTPError(opening: error)
        }
        guard folder.status.kind == .folder else {
            throw HTTPError(.badRequest, reason: "a list of what is no folder")
        }
        let listing = try await FolderListing.read(
            folder, of: site.share, showsHidden: site.files.showsHidden, for: request)
        let entries = try await request.offload { UploaderEntry.entries(of: listing, in: path) }
        var response = try Response.json(entries)
        response.fields[.cacheControl] = "no-cache"
        return response.compressed()
    }

    private func download(_ path: PagePath, _ request: Request) async throws -> Response {
        guard site.share.admitsFile(path.bytes) else {
            throw HTTPError(.forbidden, reason: "an extension that isn't allowed")
        }
        let name = path.text
        if request.method == .get {
            try await site.share.ask(request) { try await $0.shouldDownload(name, for: request) }
        }
        let response = try await site.files.file(at: name, for: request)
        if request.method == .get {
            site.share.tellWhenSent(request) { await $0.didDownload(name, for: request) }
        }
        return response.asAttachment(named: String(decoding: path.name ?? [], as: UTF8.self))
    }

    // MARK: Changing

    private func upload(_ request: Request) async throws -> Response {
        let form = try await request.form(into: site.share)
        let folder = try visible(form["path"] ?? "/")
        guard !form.files.isEmpty else {
            throw HTTPError(.badRequest, reason: "an upload without a file")
        }
        for file in form.files { try await site.take(file, into: folder, request) }
        // A page of its time sends the form by a frame, which shows text only.
        let takesJSON = request.fields[.accept]?.lowercased().contains("application/json") ?? false
        return done(takesJSON ? "application/json" : "text/plain; charset=utf-8")
    }

    private func move(_ request: Request) async throws -> Response {
        let form = try await request.form()
        let path = try visible(field("oldPath", form))
        let newPath = try visible(field("newPath", form)).checkingNewName(former: path.name)
        // What stays where it is would get a number.
        guard path.names != newPath.names else { return done() }
        try await site.changes.moveToFreeName(path, to: newPath, for: request)
        return done()
    }

    private func delete(_ request: Request) async throws -> Response {
        let form = try await request.form()
        try await site.changes.remove(visible(field("path", form)), for: request)
        return done()
    }

    private func create(_ request: Request) async throws -> Response {
        let form = try await request.form()
        let path = try visible(field("path", form)).checkingNewName()
        try await site.changes.makeFolderOfFreeName(path, for: request)
        return done()
    }

    private func field(_ name: String, _ form: Form) throws -> String {
        guard let value = form[name] else {
            throw HTTPError(.badRequest, reason: "a form without \(name)")
        }
        return value
    }

    private func done(_ contentType: String = "application/json") -> Response {
        var response = Response.bytes(Array("{}".utf8), contentType: contentType)
        response.fields[.cacheControl] = "no-cache"
        return response
    }
}
