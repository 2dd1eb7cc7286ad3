import WharfHTTP
import WharfNet
import WharfServer

/// The page for browsers that run no script: a list, and forms.
///
/// It is at a folder's URL with the query `plain`. Since no script says where a form comes from, each
/// has a token, which only who has got the page knows (see ``FormToken``).
struct PlainPage: Sendable {
    let options: PageOptions
    let rootTitle: String
    private let token = FormToken()

    /// The query by which it is asked for.
    static let query = "plain"

    private static let contentSecurityPolicy =
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    /// The page of a folder.
    func response(_ path: PagePath, _ site: PageSite, _ request: Request) async throws -> Response {
        let opened = try await request.offload {
            try site.files.folder.open(path.bytes, cachedOnly: false).get()
        }
        let listing = try await FolderListing.read(
            opened, of: site.share, showsHidden: site.files.showsHidden, for: request)
        let (cookie, secret) = token.make(for: request)
        let markup = PlainMarkup(
            options: options, rootTitle: rootTitle, path: path, listing: listing,
            token: PageShell.mayWrite(site.share, request) ? secret : nil,
            language: PageShell.language(request))
        var response = Response.html(try await request.offload { markup.html })
        response.fields = [
            .contentSecurityPolicy: Self.contentSecurityPolicy, .cacheControl: "no-store",
            .vary: "Accept, Accept-Language", .xContentTypeOptions: "nosniff",
        ]
        // With the token in it, it is never compressed.
        response = response.compressed(false)
        return cookie.map { response.setting($0) } ?? response
    }

    /// Does what a form asks for, and sends the browser back to the folder.
    ///
    /// Throws 403 for a form without the token.
    func take(_ request: Request, _ site: PageSite) async throws -> Response {
        let form = try await request.form(into: site.share)
        guard let secret = form["token"], token.accepts(secret, from: request) else {
            throw HTTPError(.forbidden, reason: "a form without the page's token")
        }
        let path = try PagePath(encoded: form["path"] ?? "")
        guard !site.files.hides(path.bytes) else { throw HTTPError(.forbidden) }
        switch form["action"] {
        case "upload":
            for file in form.files { try await site.take(file, into: path, request) }
        case "create":
            let folder = try path.appending(Array((form["name"] ?? "").utf8)).checkingNewName()
            guard !site.files.hides(folder.bytes) else { throw HTTPError(.forbidden) }
            try await site.changes.makeFolderOfFreeName(folder, for: request)
        case "delete":
            for name in form[values: "item"] {
                let item = try PagePath(encoded: "/" + name)
                guard let name = item.name, item.names.count == 1 else {
                    throw HTTPError(.badRequest, reason: "a name that is a path")
                }
                try await site.changes.remove(path.appending(name), for: request)
            }
        default: throw HTTPError(.badRequest, reason: "a form that asks for nothing")
        }
        let folder = path.names.isEmpty ? "" : path.encoded.dropFirst() + "/"
        // Relative to this URL, so that a proxy may put what it likes in front.
        return .redirect(to: "../\(folder)?\(Self.query)")
    }
}
