import WharfHTTP
import WharfNet

/// The body of a request that comes from memory, for tests: it keeps what a connection promises.
package final class MemoryBody: Sendable {
    private struct State {
        var pieces: ArraySlice<[UInt8]>
        var failure: (any Error)?
        var byteCount: Int64 = 0
        var byteCountMax = Int64.max
        var hasExpired = false
        var isDecoded = false
    }

    /// Bytes that are announced; `nil` when the body is chunked, or compressed.
    var length: Int64? { state.withLock { $0.isDecoded } ? nil : announcedLength }
    private let announcedLength: Int64?
    private let state: Locked<State>

    /// A body of some pieces, which fails with an error after the last if there is one.
    package init(_ pieces: [[UInt8]], length: Int64?, failure: (any Error)? = nil) {
        announcedLength = length
        state = Locked(State(pieces: pieces.filter { !$0.isEmpty }[...], failure: failure))
    }

    func next() throws -> [UInt8]? {
        try state.withLock { state in
            guard !state.hasExpired else { throw HTTPExchangeError(.ended) }
            guard let piece = state.pieces.popFirst() else {
                if let failure = state.failure { throw failure }
                return nil
            }
            state.byteCount += Int64(piece.count)
            guard state.byteCount <= state.byteCountMax else {
                let error = HTTPBodyTooLarge(byteCountMax: state.byteCountMax)
                state.failure = error
                state.pieces = []
                throw error
            }
            return piece
        }
    }

    /// Bounds it.
    ///
    /// It answers what a body that says itself that it is too long is refused with.
    func limit(to byteCountMax: Int64) -> HTTPBodyTooLarge? {
        state.withLock { $0.byteCountMax = byteCountMax }
        guard let announcedLength, announcedLength > byteCountMax else { return nil }
        return HTTPBodyTooLarge(byteCountMax: byteCountMax)
    }

    /// Takes a coding off.
    ///
    /// What is wrong with it is thrown when what comes before has been read.
    func decode(_ coding: ContentCoding, _ policy: DecompressionPolicy) {
        state.withLock { state in
            var pieces: [[UInt8]] = []
            do {
                let decoder = try BodyDecoder(coding, policy, byteCountMax: state.byteCountMax)
                for piece in state.pieces {
                    try decoder.feed(piece)
                    while decoder.hasMore { pieces.append(try decoder.next()) }
                }
                if state.failure == nil { try decoder.finish() }
            } catch {
                state.failure = error
            }
            state.pieces = pieces.filter { !$0.isEmpty }[...]
            state.isDecoded = true
        }
    }

    func expire() { state.withLock { $0.hasExpired = true } }
}
