internal import CZlib

/// How compressed data is wrapped.
package enum CompressionFormat: Sendable, Hashable {
    /// Bare (RFC 1951), of WebSocket and BLIP.
    case raw
    /// With header and checksum (RFC 1950), what HTTP calls `deflate`.
    case zlib
    /// With header and checksum (RFC 1952).
    case gzip

    // zlib's way to say it: negative is bare, plus 16 is gzip.
    var windowBits: Int32 {
        switch self {
        case .raw: -15
        case .zlib: 15
        case .gzip: 31
        }
    }
}

/// Why zlib refused.
package struct CompressionError: Error, Sendable, Hashable {
    /// What was wrong, for the log.
    package let reason: String

    static let memory = Self(reason: "zlib has no memory")
    static let malformed = Self(reason: "compressed data is malformed")
    package static let tooLarge = Self(reason: "decompressed data is larger than allowed")
}

/// What one call of a compressor or decompressor did.
package struct CompressionStep: Sendable, Hashable {
    /// Bytes of the input that were taken.
    package let consumed: Int
    /// Bytes that were appended to the output.
    package let produced: Int
    /// Whether this call did all that was asked: call again, with the rest, until it has.
    package let isComplete: Bool
}

/// Compresses a stream with zlib.
///
/// Not copyable: it owns zlib's state, and frees it.
package struct Deflater: ~Copyable {
    /// What is to happen to the bytes that zlib still holds.
    package enum Flush: Sendable {
        /// Keep them, for better compression.
        case none
        /// Write them all out, to a byte boundary: the peer can decode everything so far.
        case sync
        /// Write them and end the stream.
        case finish
    }

    private let stream: ZlibStream

    /// A compressor; `level` from 1 (fast) to 9 (small).
    package init(_ format: CompressionFormat, level: Int = 6) throws(CompressionError) {
        stream = ZlibStream(.deflate)
        let code = unsafe deflateInit2_(
            stream.pointer, Int32(clamping: min(max(level, 1), 9)), Z_DEFLATED,
            format.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .memory }
    }

    /// Compresses `input` and appends at most `outputMax` bytes (64 if that is less) to `output`.
    ///
    /// Until the step is complete, call again with what was not consumed and the same `flush`.
    package mutating func deflate(
        _ input: borrowing Span<UInt8>, flush: Flush, outputMax: Int = 32768,
        to output: inout [UInt8]
    ) throws(CompressionError) -> CompressionStep {
        let mode =
            switch flush {
            case .none: Z_NO_FLUSH
            case .sync: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        // With less room than a flush marker takes, zlib would write one marker after the other.
        let room = max(outputMax, 64)
        let (code, step) = stream.run(input, mode, room, &output)
        switch code {
        case Z_STREAM_END: return step
        // No progress was possible: nothing was left to do, or there was no room.
        case Z_OK, Z_BUF_ERROR:
            let hasRoom = step.produced < room
            let isComplete = flush != .finish && hasRoom && step.consumed == input.count
            return CompressionStep(
                consumed: step.consumed, produced: step.produced, isComplete: isComplete)
        default: throw .malformed
        }
    }

    /// Starts over with a fresh stream of the same kind (WebSocket's no_context_takeover).
    package mutating func reset() {
        stream.reset()
    }
}
