internal import CZlib

/// Decompresses a stream with zlib, up to a limit.
///
/// Not copyable: it owns zlib's state, and frees it.
package struct Inflater: ~Copyable {
    private let stream: ZlibStream
    private let totalMax: Int64
    private var total: Int64 = 0

    /// Whether the end of the compressed stream was reached; bytes after it are not consumed.
    package private(set) var isFinished = false

    /// A decompressor that refuses to produce more than `totalMax` bytes in all: a small input can
    /// stand for a thousand times as much.
    package init(_ format: CompressionFormat, totalMax: Int64) throws(CompressionError) {
        stream = ZlibStream(.inflate)
        self.totalMax = totalMax
        let code = unsafe inflateInit2_(
            stream.pointer, format.zlibBits(), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .memory }
    }

    /// Decompresses `input` and appends at most `outputMax` bytes to `output`.
    ///
    /// Until the step is complete, call again with what was not consumed. An error is final.
    package mutating func inflate(
        _ input: borrowing Span<UInt8>, outputMax: Int = 32768, to output: inout [UInt8]
    ) throws(CompressionError) -> CompressionStep {
        guard !isFinished else {
            return CompressionStep(consumed: 0, produced: 0, isComplete: true)
        }
        // One byte of room beyond the limit, so that reaching it is not yet passing it.
        let left = max(totalMax - total, 0)
        let room = Int(min(Int64(max(outputMax, 1)), left == .max ? left : left + 1))
        let before = output.count
        let (code, step) = stream.run(input, Z_SYNC_FLUSH, room, &output)
        total += Int64(step.produced)
        guard total <= totalMax else {
            output.removeSubrange(before...)
            throw .tooLarge
        }
        switch code {
        case Z_STREAM_END:
            isFinished = true
            return step
        case Z_OK, Z_BUF_ERROR:
            let isComplete = step.consumed == input.count && step.produced < room
            return CompressionStep(
                consumed: step.consumed, produced: step.produced, isComplete: isComplete)
        default: throw .malformed
        }
    }

    /// Starts over with a fresh stream of the same kind and a fresh limit.
    package mutating func reset() {
        stream.reset()
        total = 0
        isFinished = false
    }
}
