/// Numbers of variable length: seven bits a byte, the lowest first, the top bit says that more follow.
enum Varint {
    /// Bytes of the longest one.
    static let byteCountMax = 10

    /// Reads one from the front; `nil`: it has no end here, or is over 64 bits.
    ///
    /// Longer forms than needed are taken, as everybody does.
    static func read(_ bytes: borrowing Span<UInt8>) -> (value: UInt64, byteCount: Int)? {
        var value: UInt64 = 0
        var index = 0
        while index < min(bytes.count, byteCountMax) {
            let byte = bytes[index]
            // The tenth byte has room for one bit.
            if index == byteCountMax - 1, byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            index += 1
            if byte & 0x80 == 0 { return (value, index) }
        }
        return nil
    }

    static func append(_ value: UInt64, to output: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(rest))
    }
}
