import WharfHTTP

/// What a connection would read out of the bytes that it receives: messages, and how they end.
struct Transcript: Equatable, Sendable {
    /// A request with its body.
    struct Message: Equatable, Sendable {
        let head: HTTPRequestHead
        var body = Body()
    }

    /// Why nothing more is read.
    enum End: Equatable, Sendable {
        /// A message has begun, or none is left.
        case waits, isBetweenMessages
        case refused(HTTPParseError)
        /// RFC 9112 §9.6: what follows a close is not read; an upgrade leaves it to others.
        case stops
    }

    var messages: [Message] = []
    var end = End.isBetweenMessages

    fileprivate init() {}

    /// Reads what arrives in pieces that end at `cuts`.
    init(of input: [UInt8], cuts: [Int] = []) {
        var reader = MessageReader()
        for cut in cuts + [input.count] {
            guard reader.receive(input, upTo: cut) else { break }
        }
        self = reader.transcript
    }
}

/// Reads messages as a connection does: a head is parsed again and again as the input grows, a body
/// is taken as it comes.
private struct MessageReader {
    var transcript = Transcript()
    private var start = 0
    private var parser = HTTPRequestParser()
    private var message: Transcript.Message?
    private var decoder = ChunkedDecoder()

    /// Reads on.
    ///
    /// False: nothing more will be read.
    mutating func receive(_ input: [UInt8], upTo end: Int) -> Bool {
        do throws(HTTPParseError) {
            while try step(input, upTo: end) {}
        } catch {
            transcript.end = .refused(error)
        }
        switch transcript.end {
        case .waits, .isBetweenMessages: return true
        case .refused, .stops: return false
        }
    }

    /// False when more bytes are needed, or none is wanted.
    private mutating func step(_ input: [UInt8], upTo end: Int) throws(HTTPParseError) -> Bool {
        guard transcript.end != .stops else { return false }
        guard var message else {
            guard start < end else { return false }
            guard let head = try parser.parse(input[start..<end].span) else {
                transcript.end = .waits
                return false
            }
            parser = HTTPRequestParser()
            decoder = ChunkedDecoder()
            start += head.byteCount
            message = Transcript.Message(head: head)
            return true
        }
        transcript.end = .waits
        try readBody(&message, input, upTo: end)
        guard Self.isWhole(message, decoder) else {
            self.message = message
            return false
        }
        message.body.trailers = decoder.trailers
        transcript.messages.append(message)
        self.message = nil
        let stops = !message.head.isKeepAlive || message.head.hasUpgrade
        transcript.end = stops ? .stops : .isBetweenMessages
        return true
    }

    private mutating func readBody(
        _ message: inout Transcript.Message, _ input: [UInt8], upTo end: Int
    ) throws(HTTPParseError) {
        switch message.head.framing {
        case .none, .untilClose: return
        case .length(let length):
            let count = Int(min(length - Int64(message.body.consumed), Int64(end - start)))
            message.body.data += input[start..<start + count]
            message.body.consumed += count
            start += count
        case .chunked:
            while start < end, !decoder.isFinished {
                let piece = input[start..<end]
                let step = try decoder.decode(piece.span)
                let data = piece.dropFirst(step.data.lowerBound).prefix(step.data.count)
                // A decoder that takes nothing would hang its caller.
                precondition(step.consumed > 0, "nothing was consumed")
                message.body.data += data
                message.body.consumed += step.consumed
                start += step.consumed
            }
        }
    }

    private static func isWhole(_ message: Transcript.Message, _ decoder: ChunkedDecoder) -> Bool {
        switch message.head.framing {
        case .none, .untilClose: true
        case .length(let length): Int64(message.body.consumed) == length
        case .chunked: decoder.isFinished
        }
    }
}
