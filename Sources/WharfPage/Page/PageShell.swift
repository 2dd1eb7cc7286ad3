import WharfHTTP
import WharfServer

/// The page itself, before its script has asked for anything: the same for all folders but for how
/// deep they lie.
struct PageShell: Sendable {
    private let template: HTMLTemplate
    private let options: PageOptions
    private let share: Share
    private let rootTitle: String

    /// The languages that the script has texts in; the first is for all others.
    static let languages = ["en", "de", "fr", "es", "ja", "zh"]

    // Nothing inline, nothing from elsewhere, and no page of another site around it.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "media-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    init(_ share: Share, _ options: PageOptions, rootTitle: String) {
        self.share = share
        self.options = options
        self.rootTitle = rootTitle
        template = HTMLTemplate(String(decoding: Asset.page.bytes, as: UTF8.self))
    }

    /// The page of a folder that lies so many folders below the share's.
    func response(depth: Int, _ request: Request) -> Response {
        // Relative, so that a proxy may put whatever it likes in front.
        let root = depth == 0 ? "./" : String(repeating: "../", count: depth)
        let assets = root + PageSite.prefix.dropFirst()
        let page = template.render([
            "language": .text(Self.language(request)),
            "title": .text(rootTitle),
            "header": .text(options.header ?? rootTitle),
            "prologue": .text(options.prologue ?? ""),
            "epilogue": .text(options.epilogue ?? ""),
            "footer": .text(options.footer ?? ""),
            "script": .text("\(assets)page.js?v=\(Asset.script.version)"),
            "style": .text("\(assets)page.css?v=\(Asset.style.version)"),
            "icon": .text("\(assets)icon.svg?v=\(Asset.icon.version)"),
            "writable": .text(Self.mayWrite(share, request) ? "yes" : "no"),
            "extensions": .text((share.allowedExtensions ?? []).joined(separator: ",")),
            "uploadmax": .text(share.uploadMax.map { "\($0)" } ?? ""),
        ])
        var response = Response.html(page)
        response.fields = [
            .contentSecurityPolicy: Self.contentSecurityPolicy,
            .cacheControl: "no-cache", .vary: "Accept, Accept-Language",
            .xContentTypeOptions: "nosniff",
            .eTag: EntityTag(ContentVersion.of(page.utf8)).description,
        ]
        // There is no secret in it.
        return response.compressed()
    }

    /// Whether this user may change anything, as far as is known before it is tried.
    static func mayWrite(_ share: Share, _ request: Request) -> Bool {
        share.isWritable && request.user?.access != .reader
    }

    /// The language that the user reads, or names in the query.
    static func language(_ request: Request) -> String {
        let query = request.query.flatMap { URLEncodedForm(parsing: $0, fieldCountMax: 8) }
        if let asked = query?["lang"], languages.contains(asked) { return asked }
        let accepted = AcceptedLanguages(parsing: request.fields[.acceptLanguage])
        return accepted.preferred(of: languages) ?? languages[0]
    }
}
