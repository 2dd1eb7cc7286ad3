/// One field line: a name and its value (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
    /// The name, as it is to be sent.
    public var name: Name

    /// The value.
    ///
    /// What is assigned is made valid: white space at the ends goes, and control characters, CR and
    /// LF among them, become spaces.
    public var value: String {
        get { storedValue }
        set { storedValue = Self.legalized(newValue) }
    }

    private var storedValue: String

    /// A field line; `value` is made valid as ``value`` says.
    public init(name: Name, value: String) {
        self.name = name
        storedValue = Self.legalized(value)
    }

    init(name: Name, uncheckedValue: String) {
        self.name = name
        storedValue = uncheckedValue
    }

    /// Whether a value can be sent as it is: no control characters but the tab, and no white
    /// space at its ends (RFC 9110 §5.5).
    public static func isValidValue(_ value: String) -> Bool {
        var previous: UInt8?
        for byte in value.utf8 {
            guard ASCII.isFieldContent(byte) else { return false }
            if previous == nil, ASCII.isWhitespace(byte) { return false }
            previous = byte
        }
        return previous.map { !ASCII.isWhitespace($0) } ?? true
    }

    // RFC 9110 §5.5: a CR, LF or NUL in a value would let it end the line and forge another.
    private static func legalized(_ value: String) -> String {
        if isValidValue(value) { return value }
        let bytes = value.utf8.map { ASCII.isFieldContent($0) ? $0 : ASCII.space }
        let range = bytes.span.trimmed(bytes.indices)
        return String(decoding: bytes[range], as: UTF8.self)
    }
}

extension HTTPField: CustomStringConvertible {
    /// The field line without its end.
    public var description: String { "\(name): \(value)" }
}
