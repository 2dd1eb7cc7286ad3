/// Writes an element so that it means the same wherever it is put: with the prefixes that it came
/// with, and with what they stand for.
///
/// It may stand in whatever ``XMLWriter`` writes. Prefixes are kept because they can be used inside
/// of values, too, where nobody but their reader finds them.
package enum XMLFragment {
    /// The element's markup; `scope` is what was declared around it.
    package static func markup(of element: XMLElement, in scope: XMLScope) -> [UInt8] {
        var output: [UInt8] = []
        var root = element
        let own = Set(element.declarations.map(\.prefix))
        let uses = Uses(of: element)
        for (prefix, namespace) in scope.namespaces.sorted(by: { $0.key < $1.key })
        where !own.contains(prefix) && !namespace.isEmpty && uses.contains(prefix) {
            root.declarations.append(XMLDeclaration(prefix: prefix, namespace: namespace))
        }
        // RFC 4918 §4.3: the language that was said further up belongs to the value.
        if let language = scope.language, !root.attributes.contains(where: { $0.name == .language })
        {
            root.attributes.append(XMLAttribute(.language, prefix: "xml", value: language))
        }
        write(root, to: &output)
        return output
    }

    private static func write(_ element: XMLElement, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "<"))
        write(element.prefix, element.name.local, to: &output)
        for declaration in element.declarations {
            output += declaration.prefix.isEmpty ? " xmlns".utf8 : " xmlns:".utf8
            output += declaration.prefix.utf8
            write(value: declaration.namespace, to: &output)
        }
        for attribute in element.attributes {
            output.append(UInt8(ascii: " "))
            write(attribute.prefix, attribute.name.local, to: &output)
            write(value: attribute.value, to: &output)
        }
        guard !element.children.isEmpty else {
            output += "/>".utf8
            return
        }
        output.append(UInt8(ascii: ">"))
        for child in element.children {
            switch child {
            case .element(let element): write(element, to: &output)
            case .text(let text): XMLText.append(text.utf8, to: &output)
            }
        }
        output += "</".utf8
        write(element.prefix, element.name.local, to: &output)
        output.append(UInt8(ascii: ">"))
    }

    private static func write(_ prefix: String, _ local: String, to output: inout [UInt8]) {
        if !prefix.isEmpty {
            output += prefix.utf8
            output.append(UInt8(ascii: ":"))
        }
        output += local.utf8
    }

    private static func write(value: String, to output: inout [UInt8]) {
        output += "=\"".utf8
        XMLText.append(value.utf8, to: &output, isAttribute: true)
        output.append(UInt8(ascii: "\""))
    }
}

/// The prefixes that an element uses, in names and perhaps in values.
private struct Uses {
    private var inNames: Set<String> = []
    private var values: [String] = []

    init(of element: XMLElement) {
        add(element)
    }

    func contains(_ prefix: String) -> Bool {
        inNames.contains(prefix)
            || !prefix.isEmpty && values.contains { $0.contains(prefix + ":") }
    }

    private mutating func add(_ element: XMLElement) {
        inNames.insert(element.prefix)
        for attribute in element.attributes {
            inNames.insert(attribute.prefix)
            values.append(attribute.value)
        }
        for child in element.children {
            switch child {
            case .element(let element): add(element)
            case .text(let text): values.append(text)
            }
        }
    }
}
