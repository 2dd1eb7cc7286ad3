/// A character encoding that text can be read in (RFC 9110 §8.3.2).
public enum TextCharset: Sendable, Hashable, CaseIterable {
    /// UTF-8, with or without a byte order mark.
    case utf8
    /// US-ASCII.
    case usASCII
    /// ISO-8859-1: each byte is the character of that number.
    case isoLatin1
    /// UTF-16 in the order that its mark says, and without one big-endian (RFC 2781 §4.3).
    case utf16
    /// UTF-16, most significant byte first.
    case utf16BigEndian
    /// UTF-16, least significant byte first.
    case utf16LittleEndian

    /// The encoding of a name in the IANA's register, in any case; nil if it is none of these.
    public init?(name: some StringProtocol) {
        switch String(name).lowercasedASCII {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii": self = .usASCII
        case "iso-8859-1", "iso_8859-1", "latin1", "l1": self = .isoLatin1
        case "utf-16": self = .utf16
        case "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        default: return nil
        }
    }

    /// The text that bytes stand for, without a byte order mark; nil if they stand for none.
    public func decode(_ bytes: [UInt8]) -> String? {
        switch self {
        case .utf8:
            return String(
                validating: bytes[Self.start(of: bytes, after: [0xEF, 0xBB, 0xBF])...],
                as: UTF8.self)
        case .usASCII:
            return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        case .isoLatin1:
            return String(decoding: bytes.lazy.map { UInt16($0) }, as: UTF16.self)
        case .utf16:
            let isLittle = bytes.starts(with: [0xFF, 0xFE])
            return (isLittle ? Self.utf16LittleEndian : .utf16BigEndian).decode(bytes)
        case .utf16BigEndian:
            let start = Self.start(of: bytes, after: [0xFE, 0xFF])
            return Self.decodeUnits(bytes[start...]) { UInt16($0) << 8 | UInt16($1) }
        case .utf16LittleEndian:
            let start = Self.start(of: bytes, after: [0xFF, 0xFE])
            return Self.decodeUnits(bytes[start...]) { UInt16($1) << 8 | UInt16($0) }
        }
    }

    private static func start(of bytes: [UInt8], after mark: [UInt8]) -> Int {
        bytes.starts(with: mark) ? mark.count : 0
    }

    private static func decodeUnits(
        _ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16
    ) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            unit(bytes[$0], bytes[$0 + 1])
        }
        return String(validating: units, as: UTF16.self)
    }
}
