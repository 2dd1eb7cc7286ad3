/// One step of PROPPATCH, or of an MKCOL with properties.
package enum PropertyChange: Sendable, Hashable {
    /// The property as it was sent, and its markup.
    case set(XMLElement, markup: [UInt8])
    case remove(XMLName)

    package var name: XMLName {
        switch self {
        case .set(let element, _): element.name
        case .remove(let name): name
        }
    }

    /// Understands a `propertyupdate` (RFC 4918 §14.19), or a `mkcol` (RFC 5689 §5.1): its steps in
    /// their order, or `nil` if the document is something else.
    ///
    /// Throws if their markup is longer than `byteCountMax`: each holds what is said around it, too.
    package static func list(
        _ root: XMLElement, named name: XMLName, byteCountMax: Int = 2 << 20
    ) throws(XMLError) -> [PropertyChange]? {
        guard root.name == name else { return nil }
        var byteCount = 0
        let scope = XMLScope().inside(root)
        var changes: [PropertyChange] = []
        for step in root.elements {
            let isSet = step.name == .dav("set")
            guard isSet || step.name == .dav("remove") else { continue }
            let inner = scope.inside(step)
            for prop in step.elements where prop.name == .dav("prop") {
                let innermost = inner.inside(prop)
                for property in prop.elements {
                    guard isSet else {
                        changes.append(.remove(property.name))
                        continue
                    }
                    let markup = XMLFragment.markup(of: property, in: innermost)
                    byteCount += markup.count
                    guard byteCount <= byteCountMax else { throw .tooLarge }
                    changes.append(.set(property, markup: markup))
                }
            }
        }
        return changes.isEmpty ? nil : changes
    }
}
