import WharfHTTP

/// Compresses a body, a piece at a time.
final class BodyEncoder {
    /// Bytes that are compressed in one turn of a loop: a millisecond at most.
    static let pieceMax = 32 * 1024

    private var deflater: Deflater

    init(_ coding: ContentCoding, level: Int) throws {
        deflater = try Deflater(coding.format, level: level)
    }

    /// Compresses a piece; with a flush, the client can read all of it.
    func encode(
        _ bytes: [UInt8], _ range: Range<Int>, flush: Deflater.Flush
    ) throws -> [UInt8] {
        var output: [UInt8] = []
        var start = range.lowerBound
        while true {
            let step = try deflater.deflate(
                bytes.span.extracting(start..<range.upperBound), flush: flush, to: &output)
            start += step.consumed
            if step.isComplete { return output }
        }
    }

    /// The whole of a small body, compressed.
    static func encode(_ bytes: [UInt8], _ coding: ContentCoding, level: Int) throws -> [UInt8] {
        try BodyEncoder(coding, level: level).encode(bytes, bytes.indices, flush: .finish)
    }
}
