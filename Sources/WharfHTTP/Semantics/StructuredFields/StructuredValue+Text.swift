/// How structured fields are written (RFC 9651 §4.1).
extension StructuredValue: CustomStringConvertible {
    /// The text that stands for it in a field.
    ///
    /// What can't stand in a string or a token becomes a question mark.
    public var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .decimal(let thousandths): Self.decimal(thousandths)
        case .string(let text): "\"" + Self.escaped(text) + "\""
        case .token(let text): text
        case .bytes(let bytes): ":" + Base64.encode(bytes) + ":"
        case .boolean(let isTrue): isTrue ? "?1" : "?0"
        case .date(let seconds): "@\(seconds)"
        case .displayString(let text): "%\"" + Self.percentEncoded(text) + "\""
        }
    }

    private static func decimal(_ thousandths: Int64) -> String {
        let magnitude = thousandths.magnitude
        var fraction = String(magnitude % 1000 + 1000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction = fraction.dropLast() }
        return (thousandths < 0 ? "-" : "") + "\(magnitude / 1000).\(fraction)"
    }

    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            let byte = (0x20...0x7E).contains(scalar.value) ? UInt8(scalar.value) : 0x3F
            if byte == 0x22 || byte == 0x5C { result.append(0x5C) }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func percentEncoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if (0x20...0x7E).contains(byte), byte != 0x22, byte != 0x25 {
                result.append(byte)
            } else {
                result.append(0x25)
                result += String(Int(byte) + 0x100, radix: 16).utf8.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension StructuredParameters: CustomStringConvertible {
    /// The text that stands for them behind an item.
    public var description: String {
        pairs.map { $0.value == .boolean(true) ? ";\($0.key)" : ";\($0.key)=\($0.value)" }.joined()
    }
}

extension StructuredItem: CustomStringConvertible {
    /// The text that stands for it.
    public var description: String { "\(value)\(parameters)" }
}

extension StructuredMember: CustomStringConvertible {
    /// The text that stands for it.
    public var description: String {
        switch self {
        case .item(let item): item.description
        case .innerList(let items, let parameters):
            "(" + items.map(\.description).joined(separator: " ") + ")" + parameters.description
        }
    }
}

extension StructuredDictionary: CustomStringConvertible {
    /// The text that stands for it.
    public var description: String {
        entries.map { entry in
            if case .item(let item) = entry.member, item.value == .boolean(true) {
                return "\(entry.key)\(item.parameters)"
            }
            return "\(entry.key)=\(entry.member)"
        }.joined(separator: ", ")
    }
}
