import WharfHTTP

/// Writes the frames of one direction (for BLIP 3: compresses them and adds the checksum).
package struct BLIPFrameEncoder: ~Copyable {
    private let version: BLIPVersion
    private let level: Int
    private var checksum: UInt32 = 0
    private var deflater: Deflater?

    /// Bytes that a head and a checksum take at most, and what deflate may add to a frame that it
    /// can't make smaller.
    static let overheadMax = 48

    /// An encoder; `level` from 1 to 9 is how hard it compresses, 0 not at all.
    package init(_ version: BLIPVersion, level: Int = 6) {
        self.version = version
        self.level = level
        deflater = nil
    }

    /// Makes a frame of a head and a payload; answers, too, the bytes that count for the flow.
    ///
    /// The flag for compression is cleared where nothing is compressed.
    package mutating func encode(
        _ head: BLIPFrameHead, _ payload: borrowing Span<UInt8>
    ) throws(BLIPFault) -> (bytes: [UInt8], wireCount: Int) {
        var head = head
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + Self.overheadMax)
        if version == .v1 {
            BLIP1Head.append(head, payloadCount: payload.count, to: &bytes)
            bytes.append(allOf: payload)
            return (bytes, payload.count)
        }
        guard version == .v3, head.kind?.isAcknowledgement == false else {
            head.append(to: &bytes)
            let headCount = bytes.count
            bytes.append(allOf: payload)
            return (bytes, bytes.count - headCount)
        }
        let isCompressing = head.flags.contains(.compressed) && level > 0 && !payload.isEmpty
        if !isCompressing { head.flags.remove(.compressed) }
        head.append(to: &bytes)
        let headCount = bytes.count
        if isCompressing {
            try deflate(payload, head.number, to: &bytes)
        } else {
            bytes.append(allOf: payload)
        }
        checksum = CRC32.update(checksum, with: payload)
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: checksum >> shift))
        }
        return (bytes, bytes.count - headCount)
    }

    private mutating func deflate(
        _ payload: borrowing Span<UInt8>, _ number: UInt64, to output: inout [UInt8]
    ) throws(BLIPFault) {
        do {
            var deflater = try deflater.take() ?? Deflater(.raw, level: level)
            var start = 0
            while true {
                let step = try deflater.deflate(
                    payload.extracting(start..<payload.count), flush: .sync, to: &output)
                start += step.consumed
                if step.isComplete, start == payload.count { break }
            }
            self.deflater = consume deflater
        } catch {
            throw BLIPFault(.compressorFailed, number: number)
        }
        // A flush ends with these, and the other end puts them back.
        if output.suffix(4) == [0x00, 0x00, 0xFF, 0xFF] { output.removeLast(4) }
    }
}
