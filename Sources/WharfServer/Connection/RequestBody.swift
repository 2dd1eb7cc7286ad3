import WharfHTTP
import WharfNet

/// How far the body of the present request has been read.
struct RequestBody {
    private enum State {
        case length(remaining: Int64)
        case chunked(ChunkedDecoder)
        case finished
        /// An error is final: a broken body never becomes whole.
        case failed(any Error)
    }

    private var state: State
    private var byteCount: Int64 = 0
    /// Bytes that the body may have.
    var byteCountMax = Int64.max
    /// The client waits for 100 (Continue) before it sends.
    var awaitsContinue: Bool

    init(_ framing: BodyFraming, awaitsContinue: Bool) {
        self.awaitsContinue = awaitsContinue
        switch framing {
        case .none, .untilClose, .length(0): state = .finished
        case .length(let length): state = .length(remaining: length)
        case .chunked: state = .chunked(ChunkedDecoder())
        }
    }

    /// The body of a connection that has no request.
    static let none = RequestBody(.none, awaitsContinue: false)

    var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    var hasFailed: Bool {
        if case .failed = state { true } else { false }
    }

    /// Bytes that are known to come still; `nil` when that is not known.
    var remaining: Int64? {
        switch state {
        case .length(let remaining): remaining
        case .finished: 0
        case .chunked, .failed: nil
        }
    }

    /// Throws the error that the body has ended with, if it has.
    func check() throws {
        if case .failed(let error) = state { throw error }
    }

    mutating func fail(_ error: any Error) {
        state = .failed(error)
    }

    /// Takes the next piece out of what was received: empty when more has to be received.
    mutating func take(from stream: ByteStream) throws -> [UInt8] {
        switch state {
        case .finished:
            return []
        case .failed(let error):
            throw error
        case .length(let remaining):
            let count = Int(min(remaining, Int64(stream.inputCount)))
            let piece = stream.copyInput(0..<count)
            stream.consume(count)
            state =
                remaining == Int64(count) ? .finished : .length(remaining: remaining - Int64(count))
            return piece
        case .chunked(var decoder):
            let piece = try decode(&decoder, stream)
            state = decoder.isFinished ? .finished : .chunked(decoder)
            try addToCount(piece.count)
            return piece
        }
    }

    private func decode(_ decoder: inout ChunkedDecoder, _ stream: ByteStream) throws
        -> [UInt8]
    {
        while stream.inputCount > 0, !decoder.isFinished {
            let step = try stream.withInput { span throws(HTTPParseError) in
                try decoder.decode(span)
            }
            let piece = stream.copyInput(step.data)
            stream.consume(step.consumed)
            if !piece.isEmpty { return piece }
            if step.consumed == 0 { break }
        }
        return []
    }

    private mutating func addToCount(_ count: Int) throws {
        byteCount += Int64(count)
        guard byteCount <= byteCountMax else { throw HTTPBodyTooLarge(byteCountMax: byteCountMax) }
    }
}
