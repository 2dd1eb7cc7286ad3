import WharfHTTP
import WharfNet

/// One request and its answer on a connection; confined to the loop.
final class WireExchange: @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop's thread only.

    /// What the first part of an answer came to.
    struct Beginning: Sendable {
        let head: HTTPResponseHead
        let interim: [HTTPResponse]
        /// Whether some of the request's body has left.
        let hasBegunBody: Bool
    }

    let connection: ClientConnection
    let sender: BodySender
    private let deadline: CallDeadline
    private let attempt: ClientExchange.Attempt
    private let configuration: HTTPClient.Configuration
    private let onInterim: (@Sendable (HTTPResponse) -> Void)?
    private let isUpgrade: Bool
    private var interim: [HTTPResponse] = []
    private var reader: ResponseReader?
    private var isKeepAlive = false
    /// How long the server may say nothing, in nanoseconds.
    private var patience: UInt64
    /// Whether a byte of an answer has come.
    private(set) var hasAnswerBytes = false

    init(
        _ connection: ClientConnection, _ attempt: ClientExchange.Attempt,
        _ request: HTTPClient.Request, _ client: HTTPClient, _ deadline: CallDeadline,
        isUpgrade: Bool
    ) {
        self.connection = connection
        self.attempt = attempt
        self.deadline = deadline
        self.isUpgrade = isUpgrade
        configuration = client.configuration
        patience = configuration.idleTimeout.nanoseconds
        onInterim = request.onInterim
        connection.stream.write { output in
            HeadSerializer.appendRequestLine(attempt.request, to: &output)
            HeadSerializer.appendFields(attempt.request.headerFields, to: &output)
            HeadSerializer.appendEnd(to: &output)
        }
        // A redirect may have taken the body away.
        sender = BodySender(
            connection.stream, client.pool, request,
            body: attempt.body == .none ? .none : request.body,
            awaitsContinue: attempt.awaitsContinue,
            continueTimeout: configuration.continueTimeout)
    }

    // MARK: The head

    /// Reads interim answers and the head of the final one.
    func readHead() async throws -> Beginning {
        do {
            return try await readHeads()
        } catch {
            throw HTTPClientError.wrap(cause(of: error), while: "the answer was awaited")
        }
    }

    /// What kept the request from being sent tells more than that no answer came.
    private func cause(of error: any Error) -> any Error {
        if let local = sender.localError { return local }
        let isLoss = error is Errno || (error as? HTTPClientError)?.kind == .connectionLost
        guard isLoss, !Task.isCancelled, !deadline.isExpired, let own = sender.error else {
            return error
        }
        return own
    }

    private func readHeads() async throws -> Beginning {
        while true {
            var parser = HTTPResponseParser(
                requestMethod: attempt.request.method, limits: configuration.headLimits)
            let head = try await readHead(&parser)
            connection.stream.consume(head.byteCount)
            let code = head.response.status.code
            guard code < 200, !(code == 101 && isUpgrade) else { return begin(head) }
            // RFC 9110 §15.2.2: nobody has asked for another protocol.
            guard code != 101 else {
                throw HTTPClientError(.malformedAnswer, "the server changed the protocol unasked")
            }
            guard interim.count < configuration.interimMax else {
                throw HTTPClientError(.tooLarge, "the server sent too many interim answers")
            }
            interim.append(head.response)
            onInterim?(head.response)
            if code == 100 { sender.stopWaiting() }
        }
    }

    private func readHead(_ parser: inout HTTPResponseParser) async throws -> HTTPResponseHead {
        while true {
            let head = try connection.stream.withInput { input throws(HTTPParseError) in
                try parser.parse(input)
            }
            if let head { return head }
            guard try await receive() else {
                throw HTTPClientError(
                    .connectionLost,
                    hasAnswerBytes
                        ? "the answer ended early" : "the server closed without an answer")
            }
        }
    }

    private func begin(_ head: HTTPResponseHead) -> Beginning {
        isKeepAlive = head.isKeepAlive
        let hasBegun = sender.hasBegun
        return Beginning(head: head, interim: interim, hasBegunBody: hasBegun)
    }

    /// The body of an answer that is delivered.
    func makeReader(_ head: HTTPResponseHead) -> ResponseReader {
        let reader = ResponseReader(self, head.framing)
        self.reader = reader
        return reader
    }

    // MARK: Receiving

    private static let receiveMax = 256 * 1024
    /// A new connection is made sooner than this, in nanoseconds.
    private static let skipTime: UInt64 = 1_000_000_000

    /// Waits for bytes and receives them into the stream: false at the end.
    func receive() async throws -> Bool {
        let socket = connection.socket
        while true {
            try deadline.check()
            switch connection.stream.receive(countMax: Self.receiveMax) {
            case .bytes:
                hasAnswerBytes = true
                await socket.yieldIfDue()
                return true
            case .ended: return false
            case .failed(let error): throw error
            case .wouldBlock: break
            }
            if let error = sender.localError { throw error }
            // As long as something is being sent, its own patience counts.
            let limit = sender.isBusy ? UInt64.max : socket.loop.now &+ patience
            let readiness = await socket.waitCancellably {
                await socket.waitReadable(until: limit)
            }
            switch readiness {
            case .ready: continue
            case .timedOut: throw Errno.timedOut
            case .busy: throw HTTPClientError(.misuse, "two tasks read one answer")
            case .interrupted:
                try deadline.check()
                try Task.checkCancellation()
                guard socket.isOpen, !socket.isInterrupted else { throw Errno.connectionReset }
                if case .timedOut? = sender.error as? Errno { throw Errno.timedOut }
            }
        }
    }

    // MARK: Ending

    /// Ends the exchange: whether the connection can serve another one.
    func end(mayWait: Bool) async -> Bool {
        patience = min(patience, Self.skipTime)
        if isKeepAlive, sender.isDone { await reader?.skip(mayWait: mayWait) }
        reader?.expire()
        let stream = connection.stream
        return isKeepAlive && sender.isDone && reader?.isComplete == true && !deadline.isExpired
            && stream.inputCount == 0 && stream.outputCount == 0
            && !(attempt.request.headerFields[.connection]?.lowercased() == "close")
    }
}

extension Errno {
    fileprivate static func ~= (pattern: Errno, value: Errno) -> Bool { pattern == value }
}
