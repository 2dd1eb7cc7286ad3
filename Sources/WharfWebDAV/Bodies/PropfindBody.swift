/// What PROPFIND asks for (RFC 4918 §14.20).
package enum PropfindBody: Sendable, Hashable {
    /// All dead properties and the usual live ones, and these.
    case all(including: [XMLName])
    /// The names of all.
    case names
    /// These.
    case properties([XMLName])

    /// How many are asked for by their names.
    package var nameCount: Int {
        switch self {
        case .all(let names), .properties(let names): names.count
        case .names: 0
        }
    }

    /// Understands a document, or `nil` if it asks for nothing.
    ///
    /// What is not known is ignored (RFC 4918 §17).
    package init?(_ root: XMLElement) {
        guard root.name == .dav("propfind") else { return nil }
        let asked = root.elements.filter {
            [Self.prop, Self.allprop, Self.propname].contains($0.name)
        }
        // RFC 4918 §14.20: one of the three.
        guard asked.count == 1, let element = asked.first else { return nil }
        switch element.name {
        case Self.prop:
            self = .properties(element.propertyNames)
        case Self.propname:
            self = .names
        default:
            self = .all(including: root.first(.dav("include"))?.propertyNames ?? [])
        }
    }

    private static let prop = XMLName.dav("prop")
    private static let allprop = XMLName.dav("allprop")
    private static let propname = XMLName.dav("propname")
}

extension XMLElement {
    /// The names of the elements in it, each once.
    fileprivate var propertyNames: [XMLName] {
        var seen: Set<XMLName> = []
        return elements.map(\.name).filter { seen.insert($0).inserted }
    }
}
