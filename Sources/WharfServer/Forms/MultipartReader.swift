import WharfHTTP
import WharfNet

/// Reads a multipart body for ``MultipartParts``; one task at a time uses it.
final class MultipartReader: Sendable {
    private struct State {
        var parser: MultipartParser
        var body: HTTPBody.AsyncIterator
        var input: [UInt8] = []
        var position = 0
        /// The number of the part that is being read, and whether more of it is to come.
        var number = 0
        var isInside = false

        /// The next event; `nil` at the end of a body that is whole.
        mutating func next() async throws -> MultipartParser.Event? {
            while true {
                let present = input
                if let event = try parser.next(in: present.span, from: &position) { return event }
                guard let piece = try await body.next() else {
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
                parser: MultipartParser(boundary: boundary, limits: limits),
                body: body.makeAsyncIterator()))
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
