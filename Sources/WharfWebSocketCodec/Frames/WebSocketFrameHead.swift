/// What stands before a frame's payload (RFC 6455 §5.2).
package struct WebSocketFrameHead: Sendable, Hashable {
    /// Whether it is the last frame of its message.
    package var isFinal: Bool
    /// RSV1: the message is compressed (RFC 7692 §6); on its first frame only.
    package var isCompressed: Bool
    package var opcode: WebSocketOpcode
    package var payloadCount: Int
    /// The key's four bytes, the first one lowest; `nil`: the payload is not masked.
    package var key: UInt32?

    package init(
        _ opcode: WebSocketOpcode, payloadCount: Int, isFinal: Bool = true,
        isCompressed: Bool = false, key: UInt32? = nil
    ) {
        self.opcode = opcode
        self.payloadCount = payloadCount
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.key = key
    }

    /// Bytes of the longest head.
    package static let byteCountMax = 14

    /// Reads a head from the front of `input`; `nil`: it is not there whole yet.
    package static func read(_ input: borrowing Span<UInt8>) throws(WebSocketError)
        -> (head: Self, byteCount: Int)?
    {
        guard input.count >= 2 else { return nil }
        let (first, second) = (input[0], input[1])
        guard first & 0x30 == 0 else { throw .broken("a reserved bit is set") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .broken("a reserved opcode")
        }
        let isFinal = first & 0x80 != 0
        let isCompressed = first & 0x40 != 0
        let shortCount = Int(second & 0x7F)
        if opcode.isControl {
            // RFC 6455 §5.5.
            guard isFinal else { throw .broken("a control frame in parts") }
            guard shortCount <= 125 else { throw .broken("a control frame of over 125 bytes") }
        }
        let isMasked = second & 0x80 != 0
        let lengthCount = shortCount == 127 ? 8 : shortCount == 126 ? 2 : 0
        let byteCount = 2 + lengthCount + (isMasked ? 4 : 0)
        guard input.count >= byteCount else { return nil }
        let payloadCount =
            lengthCount == 0 ? shortCount : try longCount(input.extracting(2..<2 + lengthCount))
        var head = Self(
            opcode, payloadCount: payloadCount, isFinal: isFinal, isCompressed: isCompressed)
        if isMasked { head.key = key(input.extracting(byteCount - 4..<byteCount)) }
        return (head, byteCount)
    }

    private static func longCount(_ bytes: borrowing Span<UInt8>) throws(WebSocketError) -> Int {
        var count: UInt64 = 0
        for index in bytes.indices { count = count << 8 | UInt64(bytes[index]) }
        // RFC 6455 §5.2: the top bit is 0, and the shortest form is to be used.
        guard let count = Int(exactly: count) else { throw .broken("a length over 63 bits") }
        guard count > (bytes.count == 2 ? 125 : 0xFFFF) else {
            throw .broken("a length that is not in its shortest form")
        }
        return count
    }

    private static func key(_ bytes: borrowing Span<UInt8>) -> UInt32 {
        var key: UInt32 = 0
        for index in bytes.indices { key |= UInt32(bytes[index]) << UInt32(8 * index) }
        return key
    }

    /// Appends the head.
    package func append(to output: inout [UInt8]) {
        output.append(
            (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        let maskBit: UInt8 = key == nil ? 0 : 0x80
        switch payloadCount {
        case ...125:
            output.append(maskBit | UInt8(truncatingIfNeeded: payloadCount))
        case ...0xFFFF:
            output.append(maskBit | 126)
            output.append(UInt8(truncatingIfNeeded: payloadCount >> 8))
            output.append(UInt8(truncatingIfNeeded: payloadCount))
        default:
            output.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: payloadCount >> shift))
            }
        }
        guard let key else { return }
        for shift in stride(from: 0, to: 32, by: 8) as StrideTo<UInt32> {
            output.append(UInt8(truncatingIfNeeded: key >> shift))
        }
    }
}
