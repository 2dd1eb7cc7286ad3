/// Reads one structured field from its first byte to its last (RFC 9651 §4.2).
struct StructuredFieldParser {
    static let memberCountMax = 1024
    static let itemCountMax = 256
    static let keyLengthMax = 64

    let bytes: [UInt8]
    var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Reads all there is as one thing (§4.2).
    mutating func whole<Value>(
        _ body: (inout StructuredFieldParser) throws(StructuredFieldError) -> Value
    ) throws(StructuredFieldError) -> Value {
        skipSpaces()
        let value = try body(&self)
        skipSpaces()
        guard next == nil else { throw StructuredFieldError() }
        return value
    }

    // MARK: Lists and dictionaries

    mutating func list() throws(StructuredFieldError) -> [StructuredMember] {
        var members: [StructuredMember] = []
        while next != nil {
            guard members.count < Self.memberCountMax else { throw StructuredFieldError() }
            members.append(try member())
            try passComma()
        }
        return members
    }

    mutating func dictionary() throws(StructuredFieldError) -> StructuredDictionary {
        var dictionary = StructuredDictionary()
        while next != nil {
            guard dictionary.entries.count < Self.memberCountMax else {
                throw StructuredFieldError()
            }
            let name = try key()
            if take(ASCII.equals) {
                dictionary.set(name, to: try member())
            } else {
                let item = StructuredItem(.boolean(true), try parameters())
                dictionary.set(name, to: .item(item))
            }
            try passComma()
        }
        return dictionary
    }

    /// §4.2.1, §4.2.2: a comma at the end is an error.
    private mutating func passComma() throws(StructuredFieldError) {
        skipOptionalWhitespace()
        guard next != nil else { return }
        try expect(ASCII.comma)
        skipOptionalWhitespace()
        guard next != nil else { throw StructuredFieldError() }
    }

    private mutating func member() throws(StructuredFieldError) -> StructuredMember {
        next == 0x28 ? try innerList() : .item(try item())
    }

    private mutating func innerList() throws(StructuredFieldError) -> StructuredMember {
        try expect(0x28)
        var items: [StructuredItem] = []
        while next != nil {
            skipSpaces()
            if take(0x29) { return .innerList(items, try parameters()) }
            guard items.count < Self.itemCountMax else { throw StructuredFieldError() }
            items.append(try item())
            // §4.2.1.2: items are apart.
            guard next == ASCII.space || next == 0x29 else { throw StructuredFieldError() }
        }
        throw StructuredFieldError()
    }

    // MARK: Items

    mutating func item() throws(StructuredFieldError) -> StructuredItem {
        let value = try bareItem()
        return StructuredItem(value, try parameters())
    }

    private mutating func parameters() throws(StructuredFieldError) -> StructuredParameters {
        var parameters = StructuredParameters()
        while take(ASCII.semicolon) {
            guard parameters.pairs.count < Self.itemCountMax else { throw StructuredFieldError() }
            skipSpaces()
            let name = try key()
            parameters.set(name, to: take(ASCII.equals) ? try bareItem() : .boolean(true))
        }
        return parameters
    }

    private mutating func key() throws(StructuredFieldError) -> String {
        guard let first = next, (0x61...0x7A).contains(first) || first == 0x2A else {
            throw StructuredFieldError()
        }
        let start = index
        while let byte = next, Self.isKey(byte) { index += 1 }
        guard index - start <= Self.keyLengthMax else { throw StructuredFieldError() }
        return text(start..<index)
    }

    private static func isKey(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, ASCII.zero...ASCII.nine, 0x5F, ASCII.hyphen, ASCII.dot, 0x2A: true
        default: false
        }
    }

    // MARK: Steps

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(StructuredFieldError) {
        guard take(byte) else { throw StructuredFieldError() }
    }

    mutating func skipSpaces() {
        while next == ASCII.space { index += 1 }
    }

    private mutating func skipOptionalWhitespace() {
        while next == ASCII.space || next == 0x09 { index += 1 }
    }
}
