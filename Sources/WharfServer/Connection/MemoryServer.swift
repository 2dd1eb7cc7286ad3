package import WharfHTTP
import WharfNet

/// Answers requests as a server would, without connections: for tests.
///
/// The order is that of a connection: both ask the same functions.
package final class MemoryServer: Sendable {
    /// What a client would get.
    package struct Answer: Sendable {
        package var status: HTTPResponse.Status
        package var fields: HTTPFields
        package var body: [UInt8] = []
        /// False when the body failed in its midst: a client would see the connection cut.
        package var isComplete = true
    }

    private let context: ServerContext

    package init(_ configuration: HTTPServer.Configuration, router: Router) {
        let pool = BlockingPool(
            clock: .withoutLoop, threadCountMax: max(1, configuration.poolThreadMax),
            queueMax: max(0, configuration.poolQueueMax))
        context = ServerContext(configuration, router: router, pool: pool)
    }

    /// A request as a handler would get it.
    package func request(_ head: HTTPRequestHead, body: MemoryBody?, from peer: Peer) -> Request {
        Request(
            head, body: HTTPBody(memory: body, pool: context.pool),
            exchange: ConnectionIdentity(peer: peer, server: context))
    }

    /// Answers a request.
    package func answer(_ head: HTTPRequestHead, body: MemoryBody?, from peer: Peer) async
        -> Answer
    {
        var request = request(head, body: body, from: peer)
        let response = await response(to: &request, body)
        let answer = await finish(response, request)
        body?.expire()
        await request.exchange.tellSent(isWhole: answer.isComplete)
        return answer
    }

    /// The answer to bytes that are no request.
    package func answer(_ error: HTTPParseError) async -> Answer {
        let response = context.pageWithoutRequest(error.status)
        return await collect(response, sendsBody: true)
    }

    private func response(to request: inout Request, _ body: MemoryBody?) async -> Response {
        let system = System.withoutLoop
        do {
            let coding = context.coding(of: request.fields)
            let route = try context.route(&request)
            let refusal = body.flatMap { whyRefused($0, coding, context.bodyMax(of: route)) }
            return try await context.answer(
                route, request, refusal: refusal, now: { system.unixTime() })
        } catch {
            return context.errorResponse(error, request, now: system.now())
        }
    }

    /// Why a body is refused before any of it is read.
    private func whyRefused(
        _ body: MemoryBody, _ coding: ServerContext.BodyCoding, _ byteCountMax: Int64
    ) -> (any Error)? {
        let tooLarge = body.limit(to: byteCountMax)
        switch coding {
        case .identity: return tooLarge
        case .refused(let error): return error
        case .known(let coding):
            if tooLarge == nil, let policy = context.configuration.decompression {
                body.decode(coding, policy)
            }
            return tooLarge
        }
    }

    private func finish(_ response: Response, _ request: Request) async -> Answer {
        await collect(response, sendsBody: request.method != .head)
    }

    private func collect(_ response: Response, sendsBody: Bool) async -> Answer {
        let framing = ResponseFraming(
            response.status, length: response.body.length, version: .http11)
        var answer = Answer(status: response.status, fields: response.fieldsWithoutFraming)
        if !answer.fields.contains(.contentType) {
            answer.fields[.contentType] = response.contentType
        }
        if case .length(let length) = framing { answer.fields[.contentLength] = "\(length)" }
        guard sendsBody, framing != .none else { return answer }
        do {
            answer.body = try await bytes(of: response.body)
        } catch let error as MemoryWriter.Cut {
            answer.body = error.written
            answer.isComplete = false
        } catch {
            answer.isComplete = false
        }
        return answer
    }

    private func bytes(of body: ResponseBody) async throws -> [UInt8] {
        switch body.storage {
        // Another protocol needs a connection.
        case .empty, .upgrade: return []
        case .bytes(let bytes): return bytes
        case .string(let text): return Array(text.utf8)
        case .file(let slices):
            return try await context.pool.run {
                try slices.flatMap { try $0.prefix + ($0.span?.bytes() ?? []) }
            }
        case .stream(let source):
            let writer = MemoryWriter(length: source.length, pool: context.pool)
            let bytes = try await writer.collect {
                try await source.write(HTTPBodyWriter(sink: writer))
            }
            guard let encoding = source.encoding else { return bytes }
            return try BodyEncoder.encode(bytes, encoding.coding, level: encoding.level)
        }
    }
}

/// What the closure of a stream has written.
final class MemoryWriter: BodySink {
    /// The stream ended before its body did.
    struct Cut: Error {
        let written: [UInt8]
    }

    private struct State {
        var bytes: [UInt8] = []
        var remaining: Int64?
        var hasEnded = false
    }

    let pool: BlockingPool
    private let state: Locked<State>

    init(length: Int64?, pool: BlockingPool) {
        self.pool = pool
        state = Locked(State(remaining: length))
    }

    /// A test waits for the whole of an answer, which has to end then.
    func pause(for duration: Duration) async throws { throw CancellationError() }

    /// Nobody asks a test's answer for what follows its body.
    func setTrailers(_ fields: HTTPFields) {}

    func write(_ bytes: [UInt8]) async throws {
        try state.withLock { state in
            guard !state.hasEnded else { throw HTTPExchangeError(.ended) }
            if let left = state.remaining {
                guard left >= bytes.count else { throw HTTPExchangeError(.wrongLength) }
                state.remaining = left - Int64(bytes.count)
            }
            state.bytes += bytes
        }
    }

    /// Runs a stream, and answers what it has written; throws ``Cut`` if that is not all.
    func collect(_ stream: () async throws -> Void) async throws(Cut) -> [UInt8] {
        let hasFailed: Bool
        do {
            try await stream()
            hasFailed = false
        } catch {
            hasFailed = true
        }
        let (bytes, isWhole) = state.withLock { state in
            state.hasEnded = true
            return (state.bytes, !hasFailed && (state.remaining ?? 0) == 0)
        }
        guard isWhole else { throw Cut(written: bytes) }
        return bytes
    }
}
