/// Texts of peers as logs can hold them: ASCII, without what would end a field or a line.
enum LogText {
    /// Bytes of a text that are looked at.
    private static let byteCountMax = 1024

    /// Appends a text between quotes, as the servers that made the format write it: `\"`, `\\`, `\x1b`.
    static func append(quoted text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        append(text, to: &line)
        line.append(UInt8(ascii: "\""))
    }

    /// Appends a text without spaces, or a hyphen for nothing.
    static func append(word text: String, to line: inout [UInt8]) {
        if text.isEmpty { line.append(UInt8(ascii: "-")) }
        append(text, to: &line, escapesSpaces: true)
    }

    /// Appends a text between quotes or spaces.
    static func append(_ text: String, to line: inout [UInt8], escapesSpaces: Bool = false) {
        for byte in text.utf8.prefix(byteCountMax) {
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

    /// A string of JSON (RFC 8259 §7) in ASCII.
    static func json(_ text: String) -> String {
        var safe = "\""
        var byteCount = 0
        for scalar in text.unicodeScalars {
            byteCount += UTF8.width(scalar)
            guard byteCount <= byteCountMax else { break }
            switch scalar {
            case "\"", "\\":
                safe += "\\\(scalar)"
            case " "..<"\u{7F}":
                safe.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return safe + "\""
    }
}
