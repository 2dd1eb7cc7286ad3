extension PercentEncoding {
    /// Encodes what can't stand in a URL or a relative reference, and leaves the rest (RFC 3986 §2).
    ///
    /// Controls, spaces, `"<>\^{|}`, the backquote and all but ASCII are encoded, and so is a percent
    /// sign that no two digits follow. A backslash counts: browsers would take it for a slash.
    public static func encodeReference(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == ASCII.percent && index + 2 < bytes.count
                && ASCII.hexValue(bytes[index + 1]) != nil
                && ASCII.hexValue(bytes[index + 2]) != nil
            if isEscape || isReferenceByte(byte) {
                result.append(byte)
            } else {
                result.append(ASCII.percent)
                result.append(hexDigit(byte >> 4))
                result.append(hexDigit(byte & 0xF))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Unreserved and reserved characters (RFC 3986 §2.2, §2.3).
    private static func isReferenceByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, ASCII.zero...ASCII.nine: true
        case ASCII.hyphen, ASCII.dot, 0x5F, 0x7E: true
        case ASCII.colon, ASCII.slash, ASCII.question, ASCII.hash, ASCII.openBracket,
            ASCII.closeBracket, 0x40:
            true
        case 0x21, 0x24, 0x26...0x2C, ASCII.semicolon, ASCII.equals: true
        default: false
        }
    }
}
