/// Makes text fit to stand in a document.
package enum XMLText {
    /// Appends text in which what would be markup is escaped.
    ///
    /// What is no UTF-8, and the characters that XML can't carry at all (XML 1.0 §2.2), become
    /// U+FFFD, so that a strange file name never breaks a list.
    package static func append(
        _ text: some Sequence<UInt8>, to output: inout [UInt8], isAttribute: Bool = false
    ) {
        let start = output.count
        for byte in text {
            // Most names are of these alone.
            guard (0x20...0x7E).contains(byte), !isMarkup(byte) else {
                output.removeLast(output.count - start)
                return appendSlowly(text, to: &output, isAttribute: isAttribute)
            }
            output.append(byte)
        }
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "\"")
    }

    private static func appendSlowly(
        _ text: some Sequence<UInt8>, to output: inout [UInt8], isAttribute: Bool
    ) {
        for scalar in String(decoding: Array(text), as: UTF8.self).unicodeScalars {
            switch scalar {
            case "&": output += "&amp;".utf8
            case "<": output += "&lt;".utf8
            // `]]>` must not stand in text.
            case ">": output += "&gt;".utf8
            case "\"" where isAttribute: output += "&quot;".utf8
            // XML 1.0 §2.11, §3.3.3: readers make other characters of these if they are plain.
            case "\r": output += "&#13;".utf8
            case "\n" where isAttribute: output += "&#10;".utf8
            case "\t" where isAttribute: output += "&#9;".utf8
            default:
                output +=
                    UTF8.encode(isAllowed(scalar) ? scalar : "\u{FFFD}")
                    ?? UTF8.encodedReplacementCharacter
            }
        }
    }

    // XML 1.0 §2.2.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
