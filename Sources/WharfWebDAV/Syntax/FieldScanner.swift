/// Reads the parts of WebDAV's fields one after the other; spaces between them are skipped.
struct FieldScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
        skipSpace()
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Takes a character if it comes next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        skipSpace()
        return true
    }

    /// Takes a word if it comes next, in capitals or small letters.
    mutating func takeWord(_ word: String) -> Bool {
        let end = index + word.utf8.count
        guard end <= bytes.count,
            String(decoding: bytes[index..<end], as: UTF8.self).lowercased() == word.lowercased()
        else { return false }
        index = end
        skipSpace()
        return true
    }

    /// `<` characters of a URL `>`: what is between.
    mutating func codedURL() -> String? {
        between("<", ">") { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") }
    }

    /// An entity tag as it stands, quotes included (RFC 9110 §8.8.3).
    mutating func entityTag() -> String? {
        var weakness = ""
        if bytes[index...].starts(with: "W/".utf8) {
            weakness = "W/"
            index += 2
        }
        guard let tag = between("\"", "\"", isEmptyAllowed: true, { $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return "\(weakness)\"\(tag)\""
    }

    private mutating func between(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, isEmptyAllowed: Bool = false,
        _ isInside: (UInt8) -> Bool
    ) -> String? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: open) else { return nil }
        let rest = bytes[(index + 1)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: close) || !isInside($0) }
        guard let end, bytes[end] == UInt8(ascii: close), isEmptyAllowed || end > rest.startIndex
        else { return nil }
        index = end + 1
        skipSpace()
        return String(decoding: bytes[rest.startIndex..<end], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    }
}
