/// Reads tokens, quoted strings and parameters in a field value (RFC 9110 §5.6).
package struct ParameterScanner {
    private let bytes: [UInt8]
    private var index = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { index >= bytes.count }

    package var next: UInt8? { isAtEnd ? nil : bytes[index] }

    package mutating func skipWhitespace() {
        while let byte = next, ASCII.isWhitespace(byte) { index += 1 }
    }

    package mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    package mutating func token() -> String? {
        run { ASCII.isToken($0) }
    }

    /// The ASCII bytes up to the first one that does not pass; nil if there are none.
    package mutating func run(while passes: (UInt8) -> Bool) -> String? {
        let start = index
        while let byte = next, byte < 0x80, passes(byte) { index += 1 }
        return index > start ? String(ascii: bytes.span, start..<index) : nil
    }

    /// The content of a quoted string, unescaped; nil if it is malformed or has no end.
    package mutating func quotedString() -> String? {
        guard take(ASCII.quote) else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            index += 1
            if byte == ASCII.quote { return String(fieldBytes: content[...]) }
            guard byte == ASCII.backslash else {
                guard ASCII.isFieldContent(byte) else { return nil }
                content.append(byte)
                continue
            }
            guard let escaped = next, ASCII.isFieldContent(escaped) else { return nil }
            content.append(escaped)
            index += 1
        }
        return nil
    }

    /// `name=value` or `name="value"`.
    package mutating func parameter() -> (name: String, value: String)? {
        guard let name = token(), take(ASCII.equals) else { return nil }
        guard let value = next == ASCII.quote ? quotedString() : token() else { return nil }
        return (name, value)
    }

    /// Text between quotes, with quotes and backslashes escaped and controls made spaces.
    package static func quoted(_ text: String) -> String {
        var result: [UInt8] = [ASCII.quote]
        for byte in text.utf8 {
            if byte == ASCII.quote || byte == ASCII.backslash { result.append(ASCII.backslash) }
            result.append(ASCII.isFieldContent(byte) ? byte : ASCII.space)
        }
        result.append(ASCII.quote)
        return String(decoding: result, as: UTF8.self)
    }
}
