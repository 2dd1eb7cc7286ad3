/// The head of a frame of BLIP 1.1: twelve bytes, big-endian.
///
/// Magic number (4), number of the message (4), flags (2), size of the frame with its head (2).
package enum BLIP1Head {
    /// Bytes of a head.
    package static let byteCount = 12
    /// Bytes of the longest frame, with its head.
    package static let frameMax = Int(UInt16.max)
    static let magic: UInt32 = 0x9B34_F206

    /// How long the frame is that begins a stream of bytes, with its head; `nil`: that is not there
    /// yet.
    ///
    /// Throws for bytes that are no frame: where the next one begins can't be known then.
    package static func frameSize(_ bytes: borrowing Span<UInt8>) throws(BLIPFault) -> Int? {
        // What is wrong with the first bytes need not wait for the others.
        for index in 0..<min(4, bytes.count)
        where bytes[index] != UInt8(truncatingIfNeeded: magic >> UInt32(24 - 8 * index)) {
            throw BLIPFault(.malformedFrame)
        }
        guard bytes.count >= byteCount else { return nil }
        let size = integer(bytes, 10..<12)
        guard size >= byteCount else {
            throw BLIPFault(.malformedFrame, number: UInt64(integer(bytes, 4..<8)))
        }
        return size
    }

    /// Reads the head of a frame that is there whole.
    static func read(_ frame: borrowing Span<UInt8>) throws(BLIPFault) -> BLIPFrameHead {
        guard try frameSize(frame) == frame.count else { throw BLIPFault(.malformedFrame) }
        let flags = UInt64(integer(frame, 8..<10))
        // The kind has four bits here, and everything above it is one place further up.
        var head = BLIPFrameHead(
            .request, number: UInt64(integer(frame, 4..<8)),
            flags: BLIPFrameHead.Flags(rawValue: (flags >> 1) & ~7))
        let kind = BLIPFrameHead.Kind(rawValue: flags & 0xF)
        head.kind = kind?.isAcknowledgement == true ? nil : kind
        return head
    }

    static func append(_ head: BLIPFrameHead, payloadCount: Int, to output: inout [UInt8]) {
        let flags = (head.flags.rawValue & ~7) << 1 | (head.kind?.rawValue ?? 0xF)
        append(UInt64(magic), byteCount: 4, to: &output)
        append(head.number, byteCount: 4, to: &output)
        append(flags, byteCount: 2, to: &output)
        append(UInt64(payloadCount + byteCount), byteCount: 2, to: &output)
    }

    private static func append(_ value: UInt64, byteCount: Int, to output: inout [UInt8]) {
        for place in (0..<byteCount).reversed() {
            output.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
        }
    }

    private static func integer(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
        var value = 0
        for index in range { value = value << 8 | Int(bytes[index]) }
        return value
    }
}
