import WharfHTTP

/// Decompresses one message's body (BLIP 1.1 and 2).
final class GzipBody {
    // A class, as what it owns can't be copied, and messages lie in a table.
    private var inflater: Inflater?
    private var hasBegun = false

    /// Whether the stream has ended, or never begun: some peers send no gzip of an empty body.
    private(set) var isWhole = true

    /// Decompresses what came; `nil`: it is more than `countMax` bytes.
    func unpack(
        _ bytes: [UInt8], upTo countMax: Int
    ) throws(BLIPMessageFailure) -> [UInt8]? {
        guard !hasBegun || !isWhole else { throw .malformedBody }
        var output: [UInt8] = []
        do {
            var inflater = try inflater.take() ?? Inflater(.gzip, totalMax: .max)
            hasBegun = true
            var start = 0
            while !inflater.isFinished, output.count <= countMax {
                let step = try inflater.inflate(
                    bytes.span.extracting(start..<bytes.count), to: &output)
                start += step.consumed
                if step.isComplete { break }
            }
            guard output.count <= countMax else { return nil }
            isWhole = inflater.isFinished
            guard !isWhole || start == bytes.count else { throw CompressionError.ended }
            self.inflater = consume inflater
        } catch {
            throw .malformedBody
        }
        return output.count <= countMax ? output : nil
    }
}
