/// The name of an element or an attribute: what its prefix stands for, and its local part.
///
/// Prefixes are no part of it: only what they stand for counts (Namespaces in XML §2.1).
package struct XMLName: Sendable, Hashable {
    /// The namespace; empty for none.
    package var namespace: String
    package var local: String

    package init(namespace: String, _ local: String) {
        self.namespace = namespace
        self.local = local
    }

    /// A name in the namespace `DAV:` (RFC 4918 §21.1).
    package static func dav(_ local: String) -> XMLName { XMLName(namespace: "DAV:", local) }

    /// The namespace that `xml:` always stands for (Namespaces in XML §3).
    package static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    /// `xml:lang`.
    package static let language = XMLName(namespace: xmlNamespace, "lang")
}
