internal import CZlib

/// The checksum of gzip and BLIP (RFC 1952 §8).
package enum CRC32 {
    /// The checksum of what `checksum` is of, followed by some bytes; 0 is that of nothing.
    package static func update(
        _ checksum: UInt32, with bytes: borrowing Span<UInt8>
    ) -> UInt32 {
        // The pointer is used in this call only, with its count; zlib answers 0 for no pointer.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return checksum }
            let result = unsafe crc32_z(UInt(checksum), base, buffer.count)
            return UInt32(truncatingIfNeeded: result)
        }
    }
}
