/// The properties of a message: names and values, in the order in which they are sent.
public struct BLIPProperties: Sendable, Hashable {
    /// The pairs.
    public private(set) var pairs: [Pair] = []

    /// A name and its value.
    public struct Pair: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String
    }

    /// None.
    public init() {}

    /// The value of a name, or `nil`.
    ///
    /// Setting one that holds the character NUL does nothing: it can't be sent.
    public subscript(name: String) -> String? {
        get { pairs.first { $0.name == name }?.value }
        set {
            let index = pairs.firstIndex { $0.name == name }
            guard let newValue else {
                if let index { pairs.remove(at: index) }
                return
            }
            guard !name.utf8.contains(0), !newValue.utf8.contains(0) else { return }
            let pair = Pair(name: name, value: newValue)
            if let index { pairs[index] = pair } else { pairs.append(pair) }
        }
    }
}

extension BLIPProperties: ExpressibleByDictionaryLiteral {
    /// Properties in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }
}

extension BLIPProperties {
    /// Why properties can't be read.
    package enum ReadError: Error, Hashable {
        case notTerminated, oddCount, notUTF8, unknownToken
    }

    /// Reads what stands between the length and the body.
    ///
    /// Of a name that is there twice the first value counts.
    package init(reading bytes: ArraySlice<UInt8>, _ version: BLIPVersion) throws(ReadError) {
        guard let last = bytes.last else { return }
        guard last == 0 else { throw .notTerminated }
        let parts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count.isMultiple(of: 2) else { throw .oddCount }
        var texts: [String] = []
        for part in parts { texts.append(try Self.text(part, version)) }
        var names: Set<String> = []
        for index in stride(from: 0, to: texts.count, by: 2)
        where names.insert(texts[index]).inserted {
            pairs.append(Pair(name: texts[index], value: texts[index + 1]))
        }
    }

    private static func text(
        _ part: ArraySlice<UInt8>, _ version: BLIPVersion
    ) throws(ReadError) -> String {
        if let tokens = BLIPTokens.of(version), part.count == 1, let byte = part.first, byte < 0x20
        {
            guard let text = tokens.text(of: byte) else { throw .unknownToken }
            return text
        }
        guard let text = String(validating: part, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// Bytes that they take when they are sent.
    package func byteCount(_ version: BLIPVersion) -> Int {
        var bytes: [UInt8] = []
        append(to: &bytes, version)
        return bytes.count
    }

    /// Whether the other end would read the same.
    ///
    /// BLIP 1.1 has room for 65,535 bytes, and a text of one control character stands for another
    /// text before BLIP 3.
    package func canBeSent(_ version: BLIPVersion) -> Bool {
        guard BLIPTokens.of(version) != nil else { return true }
        for pair in pairs {
            for text in [pair.name, pair.value] where text.utf8.count == 1 {
                if let byte = text.utf8.first, byte < 0x20 { return false }
            }
        }
        return version != .v1 || byteCount(version) <= 2 + Int(UInt16.max)
    }

    /// Appends their length and the properties.
    ///
    /// BLIP 1.1 has room for 65,535 bytes of them: whoever sends more looks at that first.
    package func append(to output: inout [UInt8], _ version: BLIPVersion) {
        var bytes: [UInt8] = []
        for pair in pairs {
            for text in [pair.name, pair.value] {
                if let token = BLIPTokens.of(version)?.token(of: text) {
                    bytes.append(token)
                } else {
                    bytes.append(contentsOf: text.utf8)
                }
                bytes.append(0)
            }
        }
        if version == .v1 {
            output.append(UInt8(truncatingIfNeeded: bytes.count >> 8))
            output.append(UInt8(truncatingIfNeeded: bytes.count))
        } else {
            Varint.append(UInt64(bytes.count), to: &output)
        }
        output.append(contentsOf: bytes)
    }
}
