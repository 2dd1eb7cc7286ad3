/// The mask of a client's frames (RFC 6455 §5.3), applied piece by piece.
///
/// It is its own inverse.
struct FrameMask: Sendable {
    /// The key, turned so that its lowest byte is for the next byte of the payload.
    private var key: UInt32

    init(key: UInt32) {
        self.key = key
    }

    /// Masks or unmasks the bytes from `start` on.
    mutating func apply(to bytes: inout [UInt8], from start: Int) {
        let count = bytes.count - start
        guard key != 0, count > 0 else { return }
        let word = (UInt64(key) << 32 | UInt64(key)).littleEndian
        // Every index lies between `start` and the array's count; no pointer leaves the closure.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            var index = start
            while index &+ 8 <= buffer.count {
                let present = unsafe buffer.loadUnaligned(
                    fromByteOffset: index, as: UInt64.self)
                unsafe buffer.storeBytes(
                    of: present ^ word, toByteOffset: index, as: UInt64.self)
                index &+= 8
            }
            var rest = key
            while index < buffer.count {
                unsafe buffer[index] ^= UInt8(truncatingIfNeeded: rest)
                rest = rest >> 8 | rest << 24
                index &+= 1
            }
        }
        for _ in 0..<count & 3 { key = key >> 8 | key << 24 }
    }
}
