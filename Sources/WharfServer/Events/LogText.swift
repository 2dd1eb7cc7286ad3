/// Texts of peers as logs can hold them: ASCII, without what would end a field or a line.
enum LogText {
    /// Bytes of a text that are looked at.
    private static let byteCountMax = 1024

    /// A text between quotes, as the servers that made the format write it: `\"`, `\\`, `\x1b`.
    static func quoted(_ text: String) -> String { "\"" + escaped(text) { _ in false } + "\"" }

    /// A text without spaces, or a hyphen for nothing.
    static func word(_ text: String) -> String {
        text.isEmpty ? "-" : escaped(text) { $0 == UInt8(ascii: " ") }
    }

    private static func escaped(_ text: String, _ isExtra: (UInt8) -> Bool) -> String {
        var safe = ""
        for byte in text.utf8.prefix(byteCountMax) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                safe += "\\" + String(Unicode.Scalar(byte))
            case 0x20..<0x7F where !isExtra(byte):
                safe.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                safe += "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
            }
        }
        return safe
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
