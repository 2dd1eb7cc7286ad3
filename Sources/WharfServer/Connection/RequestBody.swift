import WharfHTTP
import WharfNet

/// The body of one request: how far it has been read, and the link that an ``HTTPBody`` reads it by.
///
/// The link is cut when the exchange ends. Everything but ``next()`` is used on the loop.
final class RequestBody: @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop, which `confine` sees to.

    enum State {
        case length(remaining: Int64)
        case chunked(ChunkedDecoder)
        case finished
        /// An error is final: a broken body never becomes whole.
        case failed(any Error)
    }

    /// Bytes that the client announced; `nil` when chunked, or compressed.
    var length: Int64? { coding == nil ? announcedLength : nil }
    private let announcedLength: Int64?
    /// Bytes that the body may have.
    var byteCountMax = Int64.max
    /// The client waits for 100 (Continue) before it sends.
    var awaitsContinue: Bool

    /// A task waits for the next piece.
    var isBeingRead = false

    /// How it is compressed.
    private(set) var coding: ContentCoding?
    private var decoder: BodyDecoder?
    /// Why it is refused, whatever its length is.
    private var codingRefusal: HTTPError?

    let loop: EventLoop
    private(set) var connection: HTTPServerConnection?
    var state: State
    /// The fields behind it, when it has been read.
    var trailers: HTTPFields = [:]
    /// Bytes of it that were read so far, without what frames chunks.
    var byteCount: Int64 = 0

    private init(
        length: Int64?, _ state: State, awaitsContinue: Bool, of connection: HTTPServerConnection
    ) {
        announcedLength = length
        self.state = state
        self.awaitsContinue = awaitsContinue
        self.connection = connection
        loop = connection.state.loop
    }

    /// The body that a head announces, or `nil` when it announces none.
    static func announced(
        by framing: BodyFraming, awaitsContinue: Bool, of connection: HTTPServerConnection
    ) -> RequestBody? {
        switch framing {
        case .none, .untilClose, .length(0):
            nil
        case .length(let length):
            RequestBody(
                length: length, .length(remaining: length), awaitsContinue: awaitsContinue,
                of: connection)
        case .chunked:
            RequestBody(
                length: nil, .chunked(ChunkedDecoder()), awaitsContinue: awaitsContinue,
                of: connection)
        }
    }

    /// Takes notice of the coding that the fields say.
    func noteCoding(_ fields: HTTPFields) {
        switch connection?.server.coding(of: fields) {
        case .known(let coding)?: self.coding = coding
        case .refused(let error)?: codingRefusal = error
        case .identity?, nil: break
        }
    }

    // MARK: For the handler

    /// The next piece, from any task.
    func next() async throws -> [UInt8]? {
        try await loop.confine { [self] in
            guard let connection else { throw HTTPExchangeError(.ended) }
            guard let coding else { return try await connection.readBody(self) }
            return try await readDecoded(coding, connection)
        }
    }

    private func readDecoded(
        _ coding: ContentCoding, _ connection: HTTPServerConnection
    ) async throws -> [UInt8]? {
        try check()
        let policy = connection.server.configuration.decompression ?? DecompressionPolicy()
        let decoder =
            try decoder ?? BodyDecoder(coding, policy, byteCountMax: byteCountMax)
        self.decoder = decoder
        do {
            while true {
                let piece = try decoder.next()
                // Others have a turn before what is left of a little that stands for much.
                if decoder.hasMore { await loop.yield() }
                if !piece.isEmpty { return piece }
                guard let received = try await connection.readBody(self) else {
                    try decoder.finish()
                    return nil
                }
                try decoder.feed(received)
            }
        } catch let error as HTTPExchangeError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            fail(error)
            throw error
        }
    }

    /// Cuts the link.
    func expire() {
        connection = nil
    }

    var hasExpired: Bool { connection == nil }

    // MARK: For the connection

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

    /// What a body that says itself that it is too long is refused with, before any of it is read.
    var refusal: (any Error)? {
        if let codingRefusal { return codingRefusal }
        guard let remaining, remaining > byteCountMax else { return nil }
        return HTTPBodyTooLarge(byteCountMax: byteCountMax)
    }

    /// True when the next request can be found behind it with little effort.
    var isWorthReading: Bool {
        if isFinished { return true }
        if hasFailed { return false }
        // RFC 9110 §10.1.1: without a 100 the client may send the body or not: its end is unknown.
        return !awaitsContinue && (remaining ?? 0) <= HTTPServerConnection.drainMax
    }

    /// Throws the error that the body has ended with, if it has.
    func check() throws {
        if case .failed(let error) = state { throw error }
    }

    func fail(_ error: any Error) {
        state = .failed(error)
    }

    /// Takes the next piece out of what was received: empty when more has to be received.
    func take(from stream: ByteStream) throws -> [UInt8] {
        switch state {
        case .finished:
            return []
        case .failed(let error):
            throw error
        case .length(let remaining):
            let count = Int(min(remaining, Int64(stream.inputCount)))
            let piece = stream.copyInput(0..<count)
            stream.consume(count)
            byteCount += Int64(count)
            let left = remaining - Int64(count)
            state = left == 0 ? .finished : .length(remaining: left)
            return piece
        case .chunked(var decoder):
            let piece = try decode(&decoder, stream)
            advance(decoder)
            byteCount += Int64(piece.count)
            guard byteCount <= byteCountMax else {
                throw HTTPBodyTooLarge(byteCountMax: byteCountMax)
            }
            return piece
        }
    }

    /// Goes on behind what a decoder has taken.
    func advance(_ decoder: ChunkedDecoder) {
        guard decoder.isFinished else { return state = .chunked(decoder) }
        trailers = decoder.trailers
        state = .finished
    }

    /// Gathers the data of chunks, however small they are: a piece costs much more than a chunk.
    private func decode(_ decoder: inout ChunkedDecoder, _ stream: ByteStream) throws -> [UInt8] {
        var piece: [UInt8] = []
        while stream.inputCount > 0, !decoder.isFinished, piece.count < Self.gatheredMax {
            let step = try stream.withInput { span throws(HTTPParseError) in
                try decoder.decode(span)
            }
            stream.appendInput(step.data, to: &piece)
            stream.consume(step.consumed)
            if step.consumed == 0 { break }
        }
        return piece
    }

    private static let gatheredMax = 64 * 1024
}
