/// A bare item of a structured field (RFC 9651 §3.3).
public enum StructuredValue: Sendable, Hashable {
    /// A whole number of at most 15 digits.
    case integer(Int64)
    /// A number with at most three digits behind the point, in thousandths.
    case decimal(thousandths: Int64)
    /// Printable ASCII.
    case string(String)
    /// A word that is written without quotes.
    case token(String)
    /// Bytes, which are written in base 64.
    case bytes([UInt8])
    /// Yes or no.
    case boolean(Bool)
    /// Seconds since 1970.
    case date(Int64)
    /// Text of any characters.
    case displayString(String)
}

/// A bare item with parameters (RFC 9651 §3.3).
public struct StructuredItem: Sendable, Hashable {
    /// The bare item.
    public var value: StructuredValue
    /// What is said of it.
    public var parameters: StructuredParameters

    /// Makes an item.
    public init(_ value: StructuredValue, _ parameters: StructuredParameters = .init()) {
        self.value = value
        self.parameters = parameters
    }
}

/// Names with bare items, in their order (RFC 9651 §3.1.2).
public struct StructuredParameters: Sendable, Hashable {
    /// One name and its value.
    public struct Pair: Sendable, Hashable {
        /// Small letters, digits and a few signs.
        public let key: String
        /// The value; true when only the name is there.
        public let value: StructuredValue
    }

    /// All of them.
    public private(set) var pairs: [Pair] = []

    /// None.
    public init() {}

    /// The value of a name.
    public subscript(key: String) -> StructuredValue? {
        pairs.first { $0.key == key }?.value
    }

    /// RFC 9651 §4.2.3.2: a later one takes the place of an earlier one.
    mutating func set(_ key: String, to value: StructuredValue) {
        let pair = Pair(key: key, value: value)
        if let index = pairs.firstIndex(where: { $0.key == key }) {
            pairs[index] = pair
        } else {
            pairs.append(pair)
        }
    }
}

/// A member of a list or a dictionary (RFC 9651 §3.1, §3.2).
public enum StructuredMember: Sendable, Hashable {
    /// One item.
    case item(StructuredItem)
    /// Several items, with parameters of them all.
    case innerList([StructuredItem], StructuredParameters)

    /// The bare item, if it is one item.
    public var value: StructuredValue? {
        if case .item(let item) = self { item.value } else { nil }
    }
}
