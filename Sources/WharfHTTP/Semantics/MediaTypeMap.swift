/// Says which media type a file has, by the extension of its name.
///
/// The common ones are built in. Write `map = ["glb": "model/x"]` for those of your own.
public struct MediaTypeMap: Sendable, Hashable {
    /// What goes before the built-in types: the value of Content-Type, taken as it is, by extension.
    ///
    /// The extensions are in lower case and have no dot. The empty one is for names without any.
    public var overrides: [String: String]

    /// The charset that text of a built-in type is said to be in; `nil`: none is said.
    ///
    /// A browser that isn't told takes plain text for Windows-1252, while files are UTF-8 nearly
    /// everywhere; and it overrules what an HTML page says of itself. Only `text/*` has one: JSON
    /// is always UTF-8, and XML says in its first line what it is in.
    public var textCharset: String? = "utf-8"

    /// The type of what has no known extension.
    public static let unknown = "application/octet-stream"

    /// A map with types of its own before the built-in ones.
    public init(overrides: [String: String] = [:]) {
        self.overrides = overrides
    }

    /// The value of Content-Type for files with this extension; case does not matter, and there is
    /// no dot in it.
    public func contentType(forExtension fileExtension: some StringProtocol) -> String {
        // No extension in the table is longer; a name without end is not copied.
        guard fileExtension.utf8.count <= 32 else { return Self.unknown }
        let name = String(fileExtension).lowercasedASCII
        if !overrides.isEmpty, let type = overrides[name] { return type }
        guard let known = MediaType.known(name) else { return Self.unknown }
        if textCharset == "utf-8" { return known.inUTF8 }
        guard known.plain.hasPrefix("text/"), let textCharset else { return known.plain }
        return known.plain + "; charset=" + textCharset
    }

    /// The value of Content-Type for a file of this name.
    public func contentType(forFileName name: some StringProtocol) -> String {
        let bytes = Array(name.utf8)
        guard let dot = bytes.lastIndex(of: ASCII.dot) else { return contentType(forExtension: "") }
        return contentType(forExtension: String(decoding: bytes[(dot + 1)...], as: UTF8.self))
    }
}

extension MediaTypeMap: ExpressibleByDictionaryLiteral {
    /// A map with types of its own, by extension.
    ///
    /// Of an extension that comes twice the last counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(overrides: Dictionary(elements) { _, last in last })
    }
}
