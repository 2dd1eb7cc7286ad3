/// Percent-encoding of bytes in URLs (RFC 3986 §2.1).
public enum PercentEncoding {
    /// What the result of an encoding is to be part of.
    public enum Component: Sendable {
        /// One segment of a path: a slash inside is encoded.
        case pathSegment
        /// A whole path: slashes stay.
        case path
        /// A name or a value in a query: `&`, `=`, `+` and `;` inside are encoded.
        case query
    }

    /// Decodes `%XX` once, or returns nil if a percent sign is not followed by two digits.
    ///
    /// The result is bytes, not text: nobody promised UTF-8. A plus sign stays one.
    public static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.underestimatedCount)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte == ASCII.percent else {
                result.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap({ ASCII.hexValue($0) }),
                let low = iterator.next().flatMap({ ASCII.hexValue($0) })
            else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }

    /// Decodes `%XX` once to text, or returns nil if it is malformed or not UTF-8.
    public static func decodeText(_ text: some StringProtocol) -> String? {
        decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Encodes bytes so that they stand for themselves in `component`.
    public static func encode(
        _ bytes: some Sequence<UInt8>, for component: Component
    ) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isAllowed(byte, in: component) {
                result.append(byte)
            } else {
                result.append(ASCII.percent)
                result.append(hexDigit(byte >> 4))
                result.append(hexDigit(byte & 0xF))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Encodes text so that it stands for itself in `component`.
    public static func encode(_ text: some StringProtocol, for component: Component) -> String {
        encode(text.utf8, for: component)
    }

    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero + value : 0x41 + value - 10
    }

    // RFC 3986 §2.3: unreserved characters need no encoding anywhere. A few more are let through
    // in paths, where they have no meaning and file names have them often.
    private static func isAllowed(_ byte: UInt8, in component: Component) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, ASCII.zero...ASCII.nine: true
        case ASCII.hyphen, ASCII.dot, 0x5F, 0x7E: true
        case ASCII.slash: component == .path
        case 0x21, 0x24, 0x28, 0x29, ASCII.comma, 0x40: component != .query
        default: false
        }
    }
}
