import WharfHTTP
import WharfServer

/// The text of ``PlainPage``: a list with check boxes, and forms if there is a token.
struct PlainMarkup: Sendable {
    let options: PageOptions
    let rootTitle: String
    let path: PagePath
    let listing: FolderListing
    /// `nil`: nothing may be changed.
    let token: String?
    let language: String

    private var texts: PlainTexts { .of(language) }

    var html: String {
        let asset = "\(root)\(PageSite.prefix.dropFirst())"
        return """
            <!doctype html>
            <html lang="\(language)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(escape(title))</title>
            <link rel="icon" href="\(asset)icon.svg?v=\(Asset.icon.version)">
            <link rel="stylesheet" href="\(asset)page.css?v=\(Asset.style.version)">
            </head>
            <body class="plain">
            <main>
            <h1>\(crumbs)</h1>
            \(paragraph(options.prologue))\(forms)\(list)\(paragraph(options.epilogue))\
            \(paragraph(options.footer))</main>
            </body>
            </html>

            """
    }

    /// What leads from the folder's URL to the share's.
    private var root: String {
        path.names.isEmpty ? "./" : String(repeating: "../", count: path.names.count)
    }

    private var title: String { path.name.map(Self.shown) ?? rootTitle }

    private var crumbs: String {
        let texts = [rootTitle] + path.names.map(Self.shown)
        return texts.enumerated().map { index, text in
            let depth = path.names.count - index
            if depth == 0 { return "<span>\(escape(text))</span>" }
            let up = String(repeating: "../", count: depth)
            return "<a href=\"\(up)?\(PlainPage.query)\">\(escape(text))</a>"
        }.joined(separator: " / ")
    }

    private var forms: String {
        guard token != nil else { return "" }
        return """
            <form class="card" method="post" action="\(action)" enctype="multipart/form-data">
            \(hidden("upload"))<label>\(texts.files) \
            <input type="file" name="files[]" multiple required></label>
            <button>\(texts.upload)</button>
            </form>
            <form class="card" method="post" action="\(action)">
            \(hidden("create"))<label>\(texts.newFolder) <input name="name" required></label>
            <button>\(texts.create)</button>
            </form>

            """
    }

    private var list: String {
        var rows = ""
        if !path.names.isEmpty {
            rows += "<tr><td></td><td><a href=\"../?\(PlainPage.query)\">\(texts.parent)</a></td>"
            rows += "<td></td><td></td></tr>\n"
        }
        for item in listing.items { rows += row(item) }
        let more = listing.isCut ? "<p>\(texts.more)</p>\n" : ""
        let table = """
            <table>
            <thead><tr><td></td><th scope="col">\(texts.name)</th>\
            <th scope="col">\(texts.bytes)</th><th scope="col">\(texts.modified)</th></tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            \(more)
            """
        guard token != nil else { return table }
        return """
            <form method="post" action="\(action)">
            \(hidden("delete"))\(table)<p><button class="danger">\(texts.delete)</button></p>
            </form>

            """
    }

    private func row(_ item: FolderListing.Item) -> String {
        let href = PercentEncoding.encode(item.name, for: .pathSegment)
        let name = escape(Self.shown(item.name))
        let date = HTTPDate(unixSeconds: item.modificationSeconds).iso8601
        let shownDate = "\(date.prefix(10)) \(date.dropFirst(11).prefix(5))"
        let mark =
            token == nil
            ? ""
            : "<input type=\"checkbox\" name=\"item\" value=\"\(href)\" aria-label=\"\(name)\">"
        let link = item.isFolder ? "\(href)/?\(PlainPage.query)" : href
        return "<tr><td>\(mark)</td><td><a href=\"\(link)\">\(name)\(item.isFolder ? "/" : "")</a>"
            + "</td><td>\(item.isFolder ? "" : "\(item.size)")</td><td>\(shownDate)</td></tr>\n"
    }

    private var action: String { "\(root)\(PageSite.prefix.dropFirst())form" }

    private func hidden(_ action: String) -> String {
        [("token", token ?? ""), ("path", path.encoded), ("action", action)].map {
            "<input type=\"hidden\" name=\"\($0)\" value=\"\(escape($1))\">\n"
        }.joined()
    }

    private func paragraph(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return "<p>\(escape(text))</p>\n"
    }

    private func escape(_ text: String) -> String { HTMLTemplate.escape(text) }

    /// A name to read: what plays tricks becomes a replacement character.
    private static func shown(_ name: [UInt8]) -> String { FolderPage.text(name) }
}
