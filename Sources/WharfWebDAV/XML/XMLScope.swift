/// What is in force at a place of a document: declared namespaces and the language.
package struct XMLScope: Sendable, Hashable {
    /// What each prefix stands for; the empty one is the default namespace's.
    package private(set) var namespaces: [String: String] = [:]
    /// The value of the nearest `xml:lang`.
    package private(set) var language: String?

    /// Nothing is in force at the start of a document.
    package init() {}

    /// What is in force inside an element that stands here.
    package func inside(_ element: XMLElement) -> XMLScope {
        var scope = self
        for declaration in element.declarations {
            scope.namespaces[declaration.prefix] = declaration.namespace
        }
        if let attribute = element.attributes.first(where: { $0.name == .language }) {
            scope.language = attribute.value
        }
        return scope
    }
}
