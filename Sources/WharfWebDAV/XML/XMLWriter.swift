/// Writes a document from its start to its end into bytes that can be taken on the way.
///
/// The prefix `D` stands for `DAV:` everywhere below the root, and no other is declared there.
package struct XMLWriter: Sendable {
    /// What was written and not taken.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes the declaration, and the start of the document's element in `DAV:`.
    package mutating func begin(_ root: StaticString) {
        append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:")
        append(root)
        append(" xmlns:D=\"DAV:\">")
    }

    /// Writes the end of the document's element.
    package mutating func finish(_ root: StaticString) {
        end(root)
        append("\n")
    }

    /// `<D:name>`.
    package mutating func start(_ name: StaticString) {
        append("<D:")
        append(name)
        append(">")
    }

    /// `</D:name>`.
    package mutating func end(_ name: StaticString) {
        append("</D:")
        append(name)
        append(">")
    }

    /// `<D:name/>`.
    package mutating func empty(_ name: StaticString) {
        append("<D:")
        append(name)
        append("/>")
    }

    /// `<D:name>text</D:name>`.
    package mutating func element(_ name: StaticString, text: some Sequence<UInt8>) {
        start(name)
        XMLText.append(text, to: &bytes)
        end(name)
    }

    /// `<D:name>text</D:name>`.
    package mutating func element(_ name: StaticString, _ text: String) {
        element(name, text: text.utf8)
    }

    /// An element of any name without content.
    package mutating func empty(_ name: XMLName) {
        openTag(name)
        append("/>")
    }

    /// An element of any name with a text in it.
    package mutating func element(_ name: XMLName, text: String) {
        let prefix = openTag(name)
        append(">")
        XMLText.append(text.utf8, to: &bytes)
        append("</")
        append(prefix)
        bytes += name.local.utf8
        append(">")
    }

    /// What is markup already, or has nothing that could be taken for it.
    package mutating func raw(_ markup: some Sequence<UInt8>) { bytes += markup }

    /// Hands out what was written, and forgets it.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// The start of a tag, and the prefix that goes with it.
    @discardableResult
    private mutating func openTag(_ name: XMLName) -> StaticString {
        if name.namespace == "DAV:" {
            append("<D:")
            bytes += name.local.utf8
            return "D:"
        }
        // Nothing declares a default namespace further up, so a name without one needs nothing.
        let hasNamespace = !name.namespace.isEmpty
        append(hasNamespace ? "<n:" : "<")
        bytes += name.local.utf8
        if hasNamespace {
            append(" xmlns:n=\"")
            XMLText.append(name.namespace.utf8, to: &bytes, isAttribute: true)
            append("\"")
        }
        return hasNamespace ? "n:" : ""
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }
}
