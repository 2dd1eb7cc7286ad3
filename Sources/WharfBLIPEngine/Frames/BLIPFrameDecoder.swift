import WharfHTTP

/// Reads the frames of one direction (for BLIP 3: checks and decompresses them).
///
/// The checksum and the compression run over all frames of the connection, so that every frame has
/// to come through here, in order. An error is final.
package struct BLIPFrameDecoder: ~Copyable {
    package struct Frame: Sendable, Hashable {
        package var head: BLIPFrameHead
        /// Decompressed for BLIP 3; what a BLIP 2 frame holds of a compressed body stays so.
        package var payload: [UInt8]
        /// Bytes that count for the flow: as they were sent, without the head.
        package var wireCount: Int

        package init(head: BLIPFrameHead, payload: [UInt8], wireCount: Int) {
            self.head = head
            self.payload = payload
            self.wireCount = wireCount
        }
    }

    private let version: BLIPVersion
    private let frameMax: Int
    private var checksum: UInt32 = 0
    private var inflater: Inflater?

    package init(_ version: BLIPVersion, frameMax: Int = BLIPLimits().frameMax) {
        self.version = version
        self.frameMax = frameMax
        inflater = nil
    }

    /// Reads one frame.
    package mutating func decode(_ bytes: [UInt8]) throws(BLIPFault) -> Frame {
        if version == .v1 {
            let head = try BLIP1Head.read(bytes.span)
            let payload = Array(bytes[BLIP1Head.byteCount...])
            return Frame(head: head, payload: payload, wireCount: payload.count)
        }
        guard let (head, headCount) = BLIPFrameHead.read(bytes.span) else {
            throw BLIPFault(.malformedFrame)
        }
        guard bytes.count <= frameMax else { throw BLIPFault(.tooMuch, number: head.number) }
        let wireCount = bytes.count - headCount
        var frame = Frame(
            head: head, payload: Array(bytes[headCount...]), wireCount: wireCount)
        guard version == .v3 else { return frame }
        guard let kind = head.kind else { throw BLIPFault(.unknownType, number: head.number) }
        // Acknowledgements are neither compressed nor counted in.
        if kind.isAcknowledgement { return frame }
        guard wireCount >= 4 else { throw BLIPFault(.malformedFrame, number: head.number) }
        let stated = frame.payload.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        frame.payload.removeLast(4)
        // Some peers set the flag on an empty frame, and nothing of it was ever compressed.
        if head.flags.contains(.compressed), !frame.payload.isEmpty {
            frame.payload = try inflate(frame.payload, head.number)
        }
        checksum = CRC32.update(checksum, with: frame.payload.span)
        guard checksum == stated else { throw BLIPFault(.wrongChecksum, number: head.number) }
        return frame
    }

    private mutating func inflate(
        _ compressed: [UInt8], _ number: UInt64
    ) throws(BLIPFault) -> [UInt8] {
        var input = compressed
        // What the sender has cut off, as it ends every frame.
        input += [0x00, 0x00, 0xFF, 0xFF]
        var output: [UInt8] = []
        do {
            var inflater = try inflater.take() ?? Inflater(.raw, totalMax: .max)
            var start = 0
            while true {
                let step = try inflater.inflate(
                    input.span.extracting(start..<input.count),
                    outputMax: min(32 * 1024, frameMax + 1 - output.count), to: &output)
                start += step.consumed
                if output.count > frameMax || inflater.isFinished { break }
                if step.isComplete, start == input.count { break }
            }
            guard !inflater.isFinished else { throw CompressionError.ended }
            self.inflater = consume inflater
        } catch {
            throw BLIPFault(.malformedCompression, number: number)
        }
        guard output.count <= frameMax else { throw BLIPFault(.tooMuch, number: number) }
        return output
    }
}
