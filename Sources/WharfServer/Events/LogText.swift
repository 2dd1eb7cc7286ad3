import WharfHTTP

/// Texts of peers as logs can hold them: ASCII, without what would end a field or a line.
enum LogText {
    /// Bytes of a text that are looked at.
    private static let byteCountMax = 1024

    /// Appends a text without spaces, or a hyphen for nothing.
    static func append(word text: String, to line: inout [UInt8]) {
        if text.isEmpty { line.append(UInt8(ascii: "-")) }
        text.withBytes { append($0, to: &line, escapesSpaces: true) }
    }

    /// Appends a text that stands between quotes or spaces.
    static func append(_ text: String, to line: inout [UInt8]) {
        text.withBytes { append($0, to: &line) }
    }

    /// Appends a text of UTF-8, as the servers that made the format write it: `\"`, `\\`, `\x1b`.
    static func append(
        _ text: Span<UInt8>, to line: inout [UInt8], escapesSpaces: Bool = false
    ) {
        let text = text.extracting(first: byteCountMax)
        // Most texts are harmless, and copied as they are.
        guard !isPlain(text, escapesSpaces: escapesSpaces) else { return line.append(allOf: text) }
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            case UInt8(ascii: " ") where !escapesSpaces, 0x21..<0x7F:
                line.append(byte)
            default:
                line.append(contentsOf: "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            }
        }
    }

    /// Appends a string of JSON (RFC 8259 §7) in ASCII.
    static func append(json text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        defer { line.append(UInt8(ascii: "\"")) }
        let isDone = text.withBytes { bytes in
            guard bytes.count <= byteCountMax, isPlain(bytes) else { return false }
            line.append(allOf: bytes)
            return true
        }
        if isDone { return }
        var byteCount = 0
        for scalar in text.unicodeScalars {
            byteCount += UTF8.width(scalar)
            guard byteCount <= byteCountMax else { break }
            switch scalar {
            case "\"", "\\": line.append(contentsOf: "\\\(scalar)".utf8)
            case " "..<"\u{7F}": line.append(contentsOf: scalar.utf8)
            default:
                for unit in scalar.utf16 {
                    let digits = String(unit, radix: 16)
                    line.append(contentsOf: "\\u".utf8)
                    line.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
                    line.append(contentsOf: digits.utf8)
                }
            }
        }
    }

    /// Whether a text is printable ASCII that means nothing in a string.
    private static func isPlain(_ text: Span<UInt8>, escapesSpaces: Bool = false) -> Bool {
        let first: UInt8 = escapesSpaces ? 0x21 : 0x20
        for index in text.indices {
            let byte = text[index]
            guard byte >= first, byte < 0x7F, byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            else { return false }
        }
        return true
    }
}

extension String {
    /// Lends the text's UTF-8.
    fileprivate func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var copy = self
        // The span does not leave the closure.
        return copy.withUTF8 { body(unsafe Span(_unsafeElements: $0)) }
    }
}
