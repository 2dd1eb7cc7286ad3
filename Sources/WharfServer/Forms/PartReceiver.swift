import Synchronization
import WharfHTTP
import WharfNet

/// Takes what is left of one part out of the blocks of a multipart body.
///
/// It runs on the pool, one block at a time.
final class PartReceiver: Sendable {
    private struct State {
        var parser: MultipartParser
        /// The part is complete.
        var isOver = false
        /// Why its data is not taken.
        var failure: (any Error)?
        /// What was received behind it.
        var rest: [UInt8] = []
    }

    /// What has become of it.
    struct Outcome {
        let parser: MultipartParser
        let isOver: Bool
        let failure: (any Error)?
        let rest: [UInt8]
    }

    private let state: Locked<State>
    private let sink: BlockRelay.Sink
    private let isDoneFlag = Atomic(false)

    /// Takes the rest of the part that a parser is in.
    init(_ parser: MultipartParser, to sink: @escaping BlockRelay.Sink) {
        state = Locked(State(parser: parser))
        self.sink = sink
    }

    /// Whether it takes no more; the loop asks it while a block is being taken.
    var isDone: Bool { isDoneFlag.load(ordering: .acquiring) }

    /// To be asked for when nothing is taken any more.
    var outcome: Outcome {
        state.withLock {
            Outcome(parser: $0.parser, isOver: $0.isOver, failure: $0.failure, rest: $0.rest)
        }
    }

    /// Takes data from a position of a block on, and moves it behind what it has dealt with.
    ///
    /// Throws if the body is malformed. That the data can't be stored is the outcome's to say, as
    /// whoever reads the parts may go on with the next one.
    func take(_ block: Span<UInt8>, from position: inout Int) throws {
        try state.withLock { try take(block, &position, &$0) }
    }

    /// Takes a whole block, and keeps what is behind the part.
    func consume(_ block: Span<UInt8>) throws {
        try state.withLock { state in
            var position = 0
            try take(block, &position, &state)
            if position < block.count {
                state.rest.append(contentsOf: block.extracting(position..<block.count))
            }
        }
    }

    private func take(_ block: Span<UInt8>, _ position: inout Int, _ state: inout State) throws {
        while !state.isOver, state.failure == nil,
            let event = try state.parser.next(in: block, from: &position)
        {
            do {
                switch event {
                case .data(let range): try sink(block.extracting(range))
                case .heldData(let bytes): try sink(bytes.span)
                case .partEnd: state.isOver = true
                case .part, .finished: break
                }
            } catch {
                state.failure = error
            }
            if state.isOver || state.failure != nil {
                isDoneFlag.store(true, ordering: .releasing)
            }
        }
    }
}
