import WharfNet

/// The body of a request that comes from memory, for tests: it keeps what a connection promises.
package final class MemoryBody: Sendable {
    private struct State {
        var pieces: ArraySlice<[UInt8]>
        var failure: (any Error)?
        var byteCount: Int64 = 0
        var byteCountMax = Int64.max
        var hasExpired = false
    }

    /// Bytes that are announced; `nil` when the body is chunked.
    let length: Int64?
    private let state: Locked<State>

    /// A body of some pieces, which fails with an error after the last if there is one.
    package init(_ pieces: [[UInt8]], length: Int64?, failure: (any Error)? = nil) {
        self.length = length
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
        guard let length, length > byteCountMax else { return nil }
        return HTTPBodyTooLarge(byteCountMax: byteCountMax)
    }

    func expire() { state.withLock { $0.hasExpired = true } }
}
