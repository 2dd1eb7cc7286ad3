public import WharfHTTP
public import WharfNet

/// A page with places to fill in: `%name%`.
///
///     let page = try HTMLTemplate(file: "page.html")
///     router.get("/") { _ in .html(page, ["title": "A < B", "rows": .html(rows)]) }
///
/// A name is made of letters, digits, `_`, `-` and `.`. A place whose name has no value stays as it
/// is, and so do other percent signs.
public struct HTMLTemplate: Sendable {
    private enum Piece: Sendable {
        case text(String)
        /// The name, and what stands there when there is no value.
        case place(String)
    }

    /// What comes to stand in a place.
    public enum Value: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// A text: what HTML gives a meaning to is escaped.
        ///
        /// It may stand between tags, and in attributes with quotes; not within a script or a style,
        /// and not for a whole URL, which may begin with `javascript:`.
        case text(String)
        /// HTML, as it is: nothing in it may come from outside without having been escaped.
        case html(String)

        /// A text.
        public init(stringLiteral text: String) { self = .text(text) }
    }

    private let pieces: [Piece]

    /// A template out of its text.
    public init(_ text: String) {
        pieces = Self.pieces(of: text)
    }

    /// A template out of a file in UTF-8 of at most 4 MiB.
    ///
    /// It is read once: not for an event loop. Throws what the system says, `ENOMEM` if it is longer.
    public init(file path: String) throws(Errno) {
        guard let bytes = try WholeFile.read(path, byteCountMax: Self.fileByteCountMax) else {
            throw .outOfMemory
        }
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    private static let fileByteCountMax = 4 * 1024 * 1024

    /// The page with its places filled in.
    public func render(_ values: [String: Value]) -> String {
        pieces.reduce(into: "") { page, piece in
            switch piece {
            case .text(let text): page += text
            case .place(let name):
                switch values[name] {
                case .text(let text)?: page += text.escapedForHTML
                case .html(let html)?: page += html
                case nil: page += "%\(name)%"
                }
            }
        }
    }

    /// A text for a place between tags, or in an attribute with quotes, as HTML.
    ///
    /// For what is put together before it becomes a ``Value/html(_:)``.
    public static func escape(_ text: String) -> String { text.escapedForHTML }

    private static func pieces(of text: String) -> [Piece] {
        let percent = UInt8(ascii: "%")
        var pieces: [Piece] = []
        var rest = Substring(text)
        var literal = ""
        while let start = rest.utf8.firstIndex(of: percent) {
            literal += rest[..<start]
            rest = rest[start...]
            let afterStart = rest.utf8.index(after: start)
            let end = rest.utf8[afterStart...].firstIndex { !isNameByte($0) }
            if let end, end != afterStart, rest.utf8[end] == percent {
                pieces.append(.text(literal))
                pieces.append(.place(String(rest[afterStart..<end])))
                literal = ""
                rest = rest[rest.utf8.index(after: end)...]
            } else {
                // What may be a name ends at the next percent sign, which may begin one.
                literal += rest[..<(end ?? rest.endIndex)]
                rest = rest[(end ?? rest.endIndex)...]
            }
        }
        pieces.append(.text(literal + rest))
        return pieces
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension Response {
    /// A page made of a template.
    public static func html(
        _ template: HTMLTemplate, _ values: [String: HTMLTemplate.Value],
        status: HTTPResponse.Status = .ok
    ) -> Response {
        .html(template.render(values), status: status)
    }
}
