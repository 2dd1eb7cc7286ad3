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
        let used = UsedPrefixes(of: element, among: scope.namespaces).found
        for prefix in used.subtracting(own).sorted() {
            guard let namespace = scope.namespaces[prefix], !namespace.isEmpty else { continue }
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

/// The prefixes that an element uses, in names and perhaps in values: all is looked at once.
private struct UsedPrefixes {
    private(set) var found: Set<String> = []
    private let known: [String: String]

    init(of element: XMLElement, among known: [String: String]) {
        self.known = known
        if !known.isEmpty { add(element) }
    }

    private mutating func add(_ element: XMLElement) {
        found.insert(element.prefix)
        for attribute in element.attributes {
            found.insert(attribute.prefix)
            add(value: attribute.value)
        }
        for child in element.children {
            switch child {
            case .element(let element): add(element)
            case .text(let text): add(value: text)
            }
        }
    }

    /// Adds what stands before a colon.
    private mutating func add(value: String) {
        var value = value
        value.withUTF8 { bytes in
            var start = 0
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                if Self.isOfName(byte) { continue }
                if byte == UInt8(ascii: ":"), index > start {
                    let prefix = unsafe String(decoding: bytes[start..<index], as: UTF8.self)
                    if known[prefix] != nil { found.insert(prefix) }
                }
                start = index + 1
            }
        }
    }

    /// Namespaces in XML §4; of what is not ASCII all is taken for a part of a name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
