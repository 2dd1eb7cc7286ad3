/// Takes blocks to somebody who may block, such as a disk, while the loop fills the next one.
///
/// Two blocks are there at most: one that is filled, and one that is with the pool. It is used by
/// one task on its loop.
@safe package final class BlockRelay: @unchecked Sendable {
    // @unchecked: all but `state` is used on the loop's thread only.

    /// What is done with data, on the pool.
    package typealias Sink = @Sendable (Span<UInt8>) throws -> Void

    @safe private enum State {
        case idle
        case running
        case awaited(UnsafeContinuation<Void, Never>)
        case done(Result<Void, any Error>)
    }

    private let loop: EventLoop
    private let pool: BlockingPool
    private let sink: Sink
    private let state = Locked(State.idle)
    private var current: TransferBlock?
    /// Not being filled; it may be with the pool.
    private var other: TransferBlock?

    package init(loop: EventLoop, pool: BlockingPool, sink: @escaping Sink) {
        self.loop = loop
        self.pool = pool
        self.sink = sink
    }

    /// The block to be filled.
    package var block: TransferBlock {
        if let current { return current }
        var block: TransferBlock?
        // A slow sender needs no second one.
        if state.withLock({ if case .running = $0 { false } else { true } }) {
            block = other
            other = nil
        }
        let chosen = block ?? TransferBlock()
        chosen.reset()
        current = chosen
        return chosen
    }

    /// Sends the present block on its way, when the one before it has arrived.
    ///
    /// Throws what the sink has thrown for that.
    package func pass() async throws {
        guard let full = current else { return }
        try await arrival()
        current = other
        current?.reset()
        other = full
        start(full)
        // The pool is handed its work at the end of a round.
        await loop.yield()
    }

    /// Waits until what was passed has arrived, and returns the block that was not, if there is
    /// anything in it: it is the caller's to take to the pool.
    ///
    /// Throws what the sink has thrown.
    package func last() async throws -> TransferBlock? {
        try await arrival()
        defer { current = nil }
        return current.flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Waits until everything has arrived.
    ///
    /// Throws what the sink has thrown.
    package func finish() async throws {
        if let current, current.count > 0 { try await pass() }
        try await arrival()
    }

    /// Waits until the sink does nothing any more, whatever has become of it.
    package func stop() async {
        try? await arrival()
    }

    private func start(_ block: TransferBlock) {
        state.withLock { $0 = .running }
        pool.submit { [self] in
            let result = Result { try block.forEachRun(sink) }
            let before = state.withLock { state in
                defer { state = .done(result) }
                return state
            }
            if case .awaited(let waiter) = before { unsafe waiter.resume() }
        }
    }

    private func arrival() async throws {
        unsafe await withUnsafeContinuation { waiter in
            let hasArrived = state.withLock { state in
                guard case .running = state else { return true }
                state = unsafe .awaited(waiter)
                return false
            }
            if hasArrived { unsafe waiter.resume() }
        }
        let result = state.withLock { state -> Result<Void, any Error> in
            guard case .done(let result) = state else { return .success(()) }
            state = .idle
            return result
        }
        try result.get()
    }
}
