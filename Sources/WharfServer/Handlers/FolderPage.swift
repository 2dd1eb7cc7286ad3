import WharfHTTP

/// The page that lists a folder.
///
/// It has no script and loads nothing. Names come from whoever may write into the folder: they are
/// escaped in text, and percent-encoded byte for byte in links, which are relative.
package struct FolderPage: Sendable {
    /// What the root is called.
    let rootTitle: String
    /// The names from the root to the folder.
    let folder: [[UInt8]]
    let listing: FolderListing

    /// Only the page's own style, by its hash, and nothing else.
    static let contentSecurityPolicy =
        "default-src 'none'; style-src '\(FolderPageStyle.hash)'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    /// The whole page.
    var html: String {
        var page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title.escapedForHTML)</title>
            <style>\(FolderPageStyle.text)</style>
            </head>
            <body>
            <main>
            <h1>\(breadcrumbs)</h1>
            <table>
            <thead><tr><th scope="col">Name</th><th scope="col">Size</th>\
            <th scope="col">Modified (UTC)</th></tr></thead>
            <tbody>

            """
        if !folder.isEmpty {
            page +=
                "<tr class=\"up\"><td><a href=\"../\">Parent folder</a></td><td></td><td></td></tr>\n"
        }
        for item in listing.items { page += row(item) }
        page += "</tbody>\n</table>\n<p>\(summary)</p>\n</main>\n</body>\n</html>\n"
        return page
    }

    private var title: String { folder.last.map(Self.text) ?? rootTitle }

    private var breadcrumbs: String {
        var parts: [String] = []
        for (index, name) in ([Array(rootTitle.utf8)] + folder).enumerated() {
            let depth = folder.count - index
            let text = Self.text(name).escapedForHTML
            let href = String(repeating: "../", count: depth)
            parts.append(
                depth == 0
                    ? "<span>\(text)</span>" : "<a href=\"\(href)\">\(text)</a>")
        }
        return parts.joined(separator: " <i>/</i> ")
    }

    private var summary: String {
        if listing.isCut {
            return "There are more than the \(listing.items.count) entries above."
        }
        let folderCount = listing.items.count { $0.isFolder }
        let fileCount = listing.items.count - folderCount
        let counts = [(folderCount, "folder"), (fileCount, "file")].filter { $0.0 > 0 }
        if counts.isEmpty { return "Nothing in here." }
        return counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    private func row(_ item: FolderListing.Item) -> String {
        let text = Self.text(item.name).escapedForHTML
        let href = PercentEncoding.encode(item.name, for: .pathSegment)
        // `Sun, 06 Nov 1994 08:49:37 GMT`: from the day to the minute.
        let date = HTTPDate(unixSeconds: item.modificationSeconds).description.dropFirst(5).prefix(
            17)
        if item.isFolder {
            return "<tr class=\"folder\"><td><a href=\"\(href)/\">\(text)</a></td><td></td>"
                + "<td>\(date)</td></tr>\n"
        }
        return "<tr><td><a href=\"\(href)\">\(text)</a></td>"
            + "<td title=\"\(item.size) bytes\">\(Self.size(item.size))</td><td>\(date)</td></tr>\n"
    }

    /// A name to read: what is no UTF-8 or plays tricks becomes a replacement character.
    package static func text(_ name: [UInt8]) -> String {
        var text = ""
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            // Controls, and what changes the direction of writing: `exe.jpg` may end in `gpj.exe`.
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
                text.unicodeScalars.append("\u{FFFD}")
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// A size to read, in decimal units: `999 B`, `1.2 kB`, `34 MB`.
    static func size(_ count: Int64) -> String {
        var value = Double(max(0, count))
        var unit = "B"
        for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] where value >= 999.5 {
            value /= 1000
            unit = larger
        }
        guard unit != "B", value < 9.95 else { return "\(Int64(value.rounded())) \(unit)" }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}

extension String {
    /// The text with what HTML gives a meaning to as references: for text and quoted attributes.
    var escapedForHTML: String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            case UInt8(ascii: "'"): escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
