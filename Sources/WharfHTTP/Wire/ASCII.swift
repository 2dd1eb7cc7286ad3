/// The bytes and byte classes of RFC 9110 and RFC 3986.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let asterisk: UInt8 = 0x2A
    static let comma: UInt8 = 0x2C
    static let hyphen: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let nine: UInt8 = 0x39
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let question: UInt8 = 0x3F
    static let quote: UInt8 = 0x22
    static let backslash: UInt8 = 0x5C
    static let openBracket: UInt8 = 0x5B
    static let closeBracket: UInt8 = 0x5D
    static let delete: UInt8 = 0x7F

    /// RFC 9110 §5.6.2: `tchar`, one bit for each of the 128 ASCII codes.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        isMember(byte, low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// RFC 3986 §3.2.2: what a registered name or an IPv4 address is made of.
    ///
    /// The comma, a sub-delimiter there, is left out: in a Host field it is a list, which is
    /// refused.
    @inline(__always)
    static func isHostName(_ byte: UInt8) -> Bool {
        isMember(byte, low: 0x2BFF_6FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    /// RFC 9110 §5.5: field content and white space; CR, LF, NUL and other controls are not.
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool {
        byte >= space ? byte != delete : byte == tab
    }

    /// Printable ASCII but `#`: what a request target may hold on the wire.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > space && byte < delete && byte != hash
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- zero < 10
    }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == space || byte == tab
    }

    /// The value of a hexadecimal digit, or nil.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- zero < 10 { return byte &- zero }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inline(__always)
    private static func isMember(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        let bits = byte < 64 ? low : high
        return byte < 128 && (bits &>> UInt64(byte & 63)) & 1 == 1
    }
}
