import WharfHTTP

/// Compresses the messages of one direction (RFC 7692 §7.2.1).
///
/// Not copyable: it owns zlib's state, which it makes for the first message.
struct MessageDeflater: ~Copyable {
    private let direction: DeflateAgreement.Direction
    private let level: Int
    private var deflater: Deflater?

    init(_ direction: DeflateAgreement.Direction, level: Int) {
        self.direction = direction
        self.level = level
    }

    /// Appends a part of a message, compressed, so that the other end can decompress it at once.
    mutating func deflate(
        _ input: borrowing Span<UInt8>, isLast: Bool, to output: inout [UInt8]
    ) throws(CompressionError) {
        var deflater = try take()
        let before = output.count
        var consumed = 0
        while true {
            let step = try deflater.deflate(
                input.extracting(consumed..<input.count), flush: .sync,
                outputMax: Self.outputMax(for: input.count - consumed), to: &output)
            consumed += step.consumed
            if step.isComplete, consumed == input.count { break }
        }
        if isLast {
            Self.cutMarker(of: &output, from: before)
            if !direction.keepsContext { deflater.reset() }
        }
        self.deflater = consume deflater
    }

    /// Room for about what comes out; too little costs another call.
    private static func outputMax(for inputCount: Int) -> Int {
        min(max(inputCount + 64, 128), 32 * 1024)
    }

    private static func cutMarker(of output: inout [UInt8], from start: Int) {
        if output.count >= start + 4, output.suffix(4) == [0x00, 0x00, 0xFF, 0xFF] {
            output.removeLast(4)
        }
        // RFC 7692 §7.2.3.6: nothing is said by an empty block.
        if output.count == start { output.append(0x00) }
    }

    private mutating func take() throws(CompressionError) -> Deflater {
        if let deflater = deflater.take() { return deflater }
        return try Deflater(.raw, level: level, windowBits: direction.windowBits)
    }
}
