/// Fields that are lists of tokens (RFC 9110 §5.6.1).
enum FieldList {
    /// The elements of a value, without white space around them and without empty ones.
    static func elements(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.utf8.split(separator: UInt8(ascii: ",")).compactMap { element in
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            guard let first = element.firstIndex(where: { !isBlank($0) }),
                let last = element.lastIndex(where: { !isBlank($0) })
            else { return nil }
            return String(element[first...last])
        }
    }
}
