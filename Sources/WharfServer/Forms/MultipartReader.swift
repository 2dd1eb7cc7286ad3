import WharfHTTP
import WharfNet

/// Reads a multipart body for ``MultipartParts``; one task at a time uses it.
final class MultipartReader: Sendable {
    private struct State {
        var parser: MultipartParser
        let body: HTTPBody
        var input: [UInt8] = []
        var position = 0
        /// The number of the part that is being read, and whether more of it is to come.
        var number = 0
        var isInside = false
        /// What has been received was lost: nothing of the body can be had any more.
        var failure: (any Error)?

        /// The next event; `nil` at the end of a body that is whole.
        mutating func next() async throws -> MultipartParser.Event? {
            if let failure { throw failure }
            while true {
                let present = input
                if let event = try parser.next(in: present.span, from: &position) { return event }
                var pieces = body.makeAsyncIterator()
                guard let piece = try await pieces.next() else {
                    try parser.finish()
                    return nil
                }
                input = piece
                position = 0
            }
        }
    }

    let pool: BlockingPool
    /// `nil` while a task uses it.
    private let state: Locked<State?>

    init(
        _ boundary: MultipartBoundary, _ limits: MultipartLimits, _ body: HTTPBody,
        pool: BlockingPool
    ) {
        self.pool = pool
        state = Locked(
            State(
                parser: MultipartParser(boundary: boundary, limits: limits), body: body))
    }

    func nextPart() async throws -> MultipartPart? {
        var state = try take()
        defer { give(state) }
        while let event = try await state.next() {
            switch event {
            case .part(let head):
                state.number += 1
                state.isInside = true
                return MultipartPart(head: head, number: state.number, reader: self)
            case .data, .heldData, .finished: continue
            case .partEnd: state.isInside = false
            }
        }
        return nil
    }

    func nextPiece(of number: Int) async throws -> [UInt8]? {
        var state = try take()
        defer { give(state) }
        guard number == state.number else { throw HTTPExchangeError(.ended) }
        while state.isInside, let event = try await state.next() {
            switch event {
            case .data(let range): return Array(state.input[range])
            case .heldData(let bytes): return bytes
            case .partEnd: state.isInside = false
            case .part, .finished: continue
            }
        }
        return nil
    }

    /// Hands what is left of a part to a closure that may block, in large blocks, while more of it is
    /// received.
    ///
    /// Throws what the closure throws, or why the part can't be had whole. The closure runs on the
    /// pool, and isn't called any more then.
    func relay(_ number: Int, to sink: @escaping BlockRelay.Sink) async throws {
        var state = try take()
        defer { give(state) }
        guard number == state.number else { throw HTTPExchangeError(.ended) }
        guard state.isInside else { return }
        if let failure = state.failure { throw failure }
        let receiver = PartReceiver(state.parser, to: sink)
        let (input, start) = (state.input, state.position)
        do {
            state.position = try await pool.run {
                var position = start
                try receiver.take(input.span, from: &position)
                return position
            }
            if !receiver.isDone {
                try await state.body.relay(
                    to: { try receiver.consume($0) }, until: { receiver.isDone })
                (state.input, state.position) = (receiver.outcome.rest, 0)
            }
        } catch {
            state.failure = error
            throw error
        }
        let outcome = receiver.outcome
        state.parser = outcome.parser
        state.isInside = !outcome.isOver
        if let failure = outcome.failure { throw failure }
        // The body has ended, and is not whole.
        guard outcome.isOver else { return try state.parser.finish() }
    }

    private func take() throws -> State {
        try state.withLock { state in
            defer { state = nil }
            guard let state else { throw HTTPExchangeError(.alreadyInUse) }
            return state
        }
    }

    private func give(_ state: State) {
        self.state.withLock { $0 = state }
    }
}
