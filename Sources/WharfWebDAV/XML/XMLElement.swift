/// An element as it was written: with its prefixes, so that it can be written again unchanged.
package struct XMLElement: Sendable, Hashable {
    package var name: XMLName
    /// Empty for none.
    package var prefix: String
    /// The namespaces that this element declares.
    package var declarations: [XMLDeclaration] = []
    package var attributes: [XMLAttribute] = []
    package var children: [XMLNode] = []

    package init(_ name: XMLName, prefix: String = "") {
        self.name = name
        self.prefix = prefix
    }

    /// The elements among the children.
    package var elements: [XMLElement] {
        children.compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }

    /// The first child of a name.
    package func first(_ name: XMLName) -> XMLElement? {
        elements.first { $0.name == name }
    }

    /// The text of the element and of all below it.
    package var text: String {
        children.reduce(into: "") { text, node in
            switch node {
            case .text(let piece): text += piece
            case .element(let element): text += element.text
            }
        }
    }
}

/// What stands in an element.
package enum XMLNode: Sendable, Hashable {
    case element(XMLElement)
    case text(String)
}

/// `xmlns:prefix="namespace"`.
package struct XMLDeclaration: Sendable, Hashable {
    /// Empty for the default namespace.
    package var prefix: String
    package var namespace: String

    package init(prefix: String, namespace: String) {
        self.prefix = prefix
        self.namespace = namespace
    }
}

/// An attribute that declares no namespace.
package struct XMLAttribute: Sendable, Hashable {
    package var name: XMLName
    /// Empty for none.
    package var prefix: String
    package var value: String

    package init(_ name: XMLName, prefix: String = "", value: String) {
        self.name = name
        self.prefix = prefix
        self.value = value
    }
}
