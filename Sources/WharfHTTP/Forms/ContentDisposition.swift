/// Writes Content-Disposition: whether a body is shown or saved, and under which name (RFC 6266).
public enum ContentDisposition {
    /// The value that has a client save the body as a file; `nil`: under a name of its own choice.
    ///
    /// Clients take the last part of a path for the name, and so only that is sent. A name that is
    /// not all ASCII is sent twice: as near as ASCII gets, and in UTF-8 (RFC 8187).
    public static func attachment(named name: String? = nil) -> String {
        value("attachment", name)
    }

    /// The value that has a client show the body, and save it under this name.
    public static func inline(named name: String? = nil) -> String {
        value("inline", name)
    }

    private static func value(_ type: String, _ name: String?) -> String {
        guard let name = name.map(fileName), !name.isEmpty else { return type }
        // Some clients decode escapes in a plain name, so one with `%` needs the other form, too.
        let isWhole = name.unicodeScalars.allSatisfy { isPlain($0) && $0 != "%" }
        let plain = String(
            String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        let value = "\(type); filename=\"\(plain)\""
        return isWhole ? value : value + "; filename*=UTF-8''" + extended(name)
    }

    /// The last part of a path, without controls.
    private static func fileName(_ path: String) -> String {
        let parts = path.unicodeScalars.split { $0 == "/" || $0 == "\\" }
        guard let last = parts.last else { return "" }
        let scalars = last.filter {
            // Controls, and what changes the direction of writing, are there to deceive.
            switch $0.value {
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
        let name = String(String.UnicodeScalarView(scalars))
        return name == "." || name == ".." ? "" : name
    }

    // RFC 6266 appendix D: no quotes and no backslashes, which clients understand differently.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar != "\"" && scalar != "\\"
    }

    // RFC 8187 §3.2.1: `attr-char`; everything else is encoded.
    private static func extended(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, ASCII.zero...ASCII.nine, ASCII.hyphen, ASCII.dot,
                0x5F, 0x7E:
                result.append(byte)
            default:
                result += [
                    ASCII.percent, PercentEncoding.hexDigit(byte >> 4),
                    PercentEncoding.hexDigit(byte & 0xF),
                ]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
