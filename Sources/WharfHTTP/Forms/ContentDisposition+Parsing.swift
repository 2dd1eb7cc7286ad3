extension ContentDisposition {
    /// What a Content-Disposition field said.
    public struct Value: Sendable, Hashable {
        /// The type, in lower case: `form-data`, `attachment`, `inline`.
        public let type: String

        /// The name of the form's field.
        public let name: String?

        /// The name of the file as it was sent: it may be a path, or anything else.
        ///
        /// Only ``FileName`` makes names of files out of it.
        public let fileName: String?
    }

    /// Reads a field value, or returns nil if it is malformed or says something twice.
    ///
    /// - The form that browsers send (WHATWG HTML, "multipart/form-data encoding algorithm"): in a
    ///   quoted name `%22`, `%0D` and `%0A` stand for a quote, CR and LF. No other escape is known
    ///   there: a percent sign stands for itself.
    /// - `\"` is a quote. Any other backslash stands for itself, as browsers send paths of Windows
    ///   and names that have one; but who escapes a quote (curl, Go, aiohttp) escapes a backslash
    ///   in the same name, too.
    /// - Names are UTF-8, or else ISO-8859-1.
    /// - `filename` counts before `filename*` (RFC 8187), which RFC 7578 §4.2 forbids in forms.
    public static func parse(_ bytes: some Sequence<UInt8>) -> Value? {
        var parser = DispositionParser(Array(bytes))
        return parser.value()
    }

    /// Reads a field value, or returns nil; see ``parse(_:)-(Sequence<UInt8>)``.
    public static func parse(_ text: some StringProtocol) -> Value? {
        parse(text.utf8)
    }
}

/// Reads Content-Disposition as it is sent, which is less than what any RFC has.
private struct DispositionParser {
    private static let parameterCountMax = 32

    private let bytes: [UInt8]
    private var index = 0
    private var name: String?
    private var fileName: String?
    private var extendedFileName: String?
    private var hasUnreadFileName = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func value() -> ContentDisposition.Value? {
        skipWhitespace()
        guard let type = token() else { return nil }
        var parameterCount = 0
        while true {
            skipWhitespace()
            if index == bytes.count { break }
            guard bytes[index] == ASCII.semicolon, parameterCount < Self.parameterCountMax else {
                return nil
            }
            index += 1
            parameterCount += 1
            skipWhitespace()
            // Unity sends a semicolon at the end.
            if index == bytes.count || bytes[index] == ASCII.semicolon { continue }
            guard readParameter() else { return nil }
        }
        // A file must not pass for a text because its name cannot be read.
        if fileName == nil, extendedFileName == nil, hasUnreadFileName { return nil }
        return ContentDisposition.Value(
            type: type, name: name, fileName: fileName ?? extendedFileName)
    }

    /// Reads one parameter; false if it is malformed, or has been there before.
    private mutating func readParameter() -> Bool {
        guard let parameter = token(), index < bytes.count, bytes[index] == ASCII.equals else {
            return false
        }
        index += 1
        let isQuoted = index < bytes.count && bytes[index] == ASCII.quote
        guard let value = isQuoted ? quotedValue() : bareValue() else { return false }
        switch parameter {
        case "name":
            guard name == nil else { return false }
            name = String(fieldBytes: value[...])
        case "filename":
            guard fileName == nil else { return false }
            fileName = String(fieldBytes: value[...])
        case "filename*":
            guard extendedFileName == nil, !hasUnreadFileName else { return false }
            extendedFileName = Self.extendedText(value)
            hasUnreadFileName = extendedFileName == nil
        default:
            // RFC 2231 §3: a name in pieces, `filename*0`, which nobody sends in a form.
            if parameter.hasPrefix("filename*") { hasUnreadFileName = true }
        }
        return true
    }

    private mutating func skipWhitespace() {
        while index < bytes.count, ASCII.isWhitespace(bytes[index]) { index += 1 }
    }

    /// A token in lower case.
    private mutating func token() -> String? {
        let start = index
        while index < bytes.count, ASCII.isToken(bytes[index]) { index += 1 }
        return index > start
            ? String(ascii: bytes.span, start..<index).lowercasedASCII : nil
    }

    /// A value without quotes: a token, and what people type there, as in `name=files[]`.
    private mutating func bareValue() -> [UInt8]? {
        let start = index
        while index < bytes.count, bytes[index] > ASCII.space, bytes[index] != ASCII.delete,
            bytes[index] != ASCII.semicolon, bytes[index] != ASCII.quote
        {
            index += 1
        }
        return index > start ? Array(bytes[start..<index]) : nil
    }

    private mutating func quotedValue() -> [UInt8]? {
        index += 1
        var content: [UInt8] = []
        var hasEscapes = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case ASCII.quote where isEndOfValue:
                return hasEscapes ? Self.unescapingBackslashes(content) : content
            case ASCII.backslash where startsEscapedQuote:
                hasEscapes = true
                content.append(ASCII.quote)
                index += 1
            case ASCII.percent:
                content.append(percentEscape() ?? byte)
            default:
                guard ASCII.isFieldContent(byte) else { return nil }
                content.append(byte)
            }
        }
        return nil
    }

    /// Whether a quote before `index` ends the value.
    ///
    /// Internet Explorer, Firefox 3 and the form-data of node send quotes in names as they are, so
    /// one ends the name only where a parameter may end.
    private var isEndOfValue: Bool {
        let next = bytes[index...].first { !ASCII.isWhitespace($0) }
        return next == nil || next == ASCII.semicolon
    }

    /// Whether a backslash before `index` escapes a quote.
    ///
    /// The last quote is none to escape: browsers send a name that ends in a backslash like that.
    private var startsEscapedQuote: Bool {
        index + 1 < bytes.count && bytes[index] == ASCII.quote
    }

    /// Makes one backslash of two.
    private static func unescapingBackslashes(_ content: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isFirstOfTwo = false
        for byte in content {
            isFirstOfTwo = byte == ASCII.backslash && !isFirstOfTwo
            let isSecondOfTwo = byte == ASCII.backslash && !isFirstOfTwo
            if !isSecondOfTwo { result.append(byte) }
        }
        return result
    }

    private mutating func percentEscape() -> UInt8? {
        let escaped: UInt8
        switch Array(bytes[index...].prefix(2)) {
        case [0x32, 0x32]: escaped = ASCII.quote
        case [0x30, 0x44]: escaped = ASCII.carriageReturn
        case [0x30, 0x41]: escaped = ASCII.lineFeed
        default: return nil
        }
        index += 2
        return escaped
    }

    // RFC 8187 §3.2: charset, language, and the text in percent-encoding.
    private static func extendedText(_ value: [UInt8]) -> String? {
        let parts = value.split(
            separator: 0x27, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let text = PercentEncoding.decode(parts[2]) else { return nil }
        switch String(fieldBytes: parts[0]).lowercasedASCII {
        case "utf-8": return String(validating: text, as: UTF8.self)
        case "iso-8859-1":
            return String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
