import WharfHTTP

/// Decompresses the messages of one direction (RFC 7692 §7.2.2).
///
/// Not copyable: it owns zlib's state, which it makes for the first message.
struct MessageInflater: ~Copyable {
    private let keepsContext: Bool
    private var inflater: Inflater?
    /// Compressed bytes that were not decompressed yet.
    private var pending: [UInt8] = []
    private var start = 0
    /// zlib may hold more than it had room for.
    private var isHolding = false
    /// The marker that the sender cut off has been put back.
    private var isAtEnd = false

    init(_ direction: DeflateAgreement.Direction) {
        keepsContext = direction.keepsContext
    }

    /// Whether something is to be decompressed.
    var hasPending: Bool { start < pending.count || isHolding }

    /// Takes compressed bytes: what `append` appends.
    mutating func add(_ append: (inout [UInt8]) -> Void) {
        if start == pending.count {
            pending.removeAll(keepingCapacity: true)
            start = 0
        }
        append(&pending)
    }

    /// The message has no more bytes.
    mutating func end() {
        add { $0 += [0x00, 0x00, 0xFF, 0xFF] }
        isAtEnd = true
    }

    /// Decompresses what is pending, but appends no more than about `outputMax` bytes.
    ///
    /// Throws when it is malformed.
    mutating func inflate(
        outputMax: Int, to output: inout [UInt8]
    ) throws(CompressionError) {
        // Taken out, as a stored value that is not copyable can't be used in two places.
        var inflater = try take()
        var left = outputMax
        while hasPending, left > 0 {
            let step = try inflater.inflate(
                pending.span.extracting(start..<pending.count), outputMax: left, to: &output)
            start += step.consumed
            left -= step.produced
            isHolding = !step.isComplete
            // RFC 7692 §7.2.3.4: a block may be marked as the last; the next one begins anew.
            if inflater.isFinished { inflater.reset() }
        }
        if isAtEnd, !hasPending, !keepsContext { inflater.reset() }
        if !hasPending { isAtEnd = false }
        self.inflater = consume inflater
    }

    private mutating func take() throws(CompressionError) -> Inflater {
        if let inflater = inflater.take() { return inflater }
        return try Inflater(.raw, totalMax: .max)
    }
}
