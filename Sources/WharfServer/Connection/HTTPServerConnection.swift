import WharfHTTP
import WharfNet

/// One connection and the life of its requests. Read this first.
///
/// One task runs ``serve()`` on one loop, and everything here is used on that loop only. The order
/// of an exchange is fixed: nothing of a body is read before the handler, after every middleware,
/// asks for it, and a body that is broken never looks whole.
final class HTTPServerConnection: @unchecked Sendable {
    // @unchecked: confined to the loop; bodies and writers come here through `confine`.

    let id: UInt64
    let server: ServerContext
    let state: LoopState
    let stream: ByteStream
    let identity: ConnectionIdentity
    var socket: Socket { stream.socket }

    /// The body of the present request, if it has one.
    var body: RequestBody?
    /// The connection ends after the present exchange.
    var isClosing = false
    /// Bytes were refused that are no request: where the next one begins is unknown.
    var hasRefused = false
    /// The connection belongs to another protocol now.
    var isUpgraded = false
    /// Bytes of bodies that were handed to the kernel.
    var sentByteCount: Int64 = 0

    private var requestCount = 0
    private var isIdle = false

    init(_ socket: Socket, peer: Peer, server: ServerContext, state: LoopState) {
        id = peer.connectionID
        stream = ByteStream(socket, patience: server.writeTimeout)
        self.server = server
        self.state = state
        identity = ConnectionIdentity(peer: peer)
    }

    /// Answers requests until the connection ends.
    func serve() async {
        socket.rememberTask()
        state.insert(self)
        while await waitForRequest() {
            guard await answerRequests() else { break }
        }
        await end()
        state.remove(self)
    }

    // MARK: Waiting for a request

    /// Waits for a first byte with as little memory as can be. False: the connection is to end.
    private func waitForRequest() async -> Bool {
        stream.rest()
        guard !state.isDraining else { return hasReceived() }
        isIdle = true
        let readiness = await socket.waitReadable(until: state.loop.now &+ server.idleTimeout)
        isIdle = false
        switch readiness {
        case .ready: return true
        case .timedOut, .busy: return false
        // The server is being stopped: a request that has arrived meanwhile is still answered.
        case .interrupted: return !socket.isInterrupted && hasReceived()
        }
    }

    private func hasReceived() -> Bool {
        if case .bytes = stream.receive(countMax: Self.receiveMax) {
            return true
        }
        return false
    }

    /// Answers what has been received, until no byte is left. False: the connection is to end.
    private func answerRequests() async -> Bool {
        repeat {
            // Mostly the whole head is there, and nothing has to wait.
            var reading = HeadReading(limits: server.configuration.headLimits)
            var step = readHeadAtOnce(&reading)
            if case .incomplete = step { step = await readHead(&reading) }
            switch step {
            case .head(let head):
                guard await exchange(head), !isClosing else { return false }
            case .refused(let error):
                await refuse(error)
                return false
            case .nothing:
                return true
            case .ended, .incomplete:
                return false
            }
            if socket.hasUsedItsTurn { await socket.yieldIfDue() }
        } while stream.inputCount > 0
        return stream.flushAtOnce() ? true : await flush()
    }

    // MARK: One exchange

    /// Answers one request. False: the connection can't be used any more.
    private func exchange(_ head: HTTPRequestHead) async -> Bool {
        requestCount += 1
        let started = state.loop.now
        let body = RequestBody.announced(
            by: head.framing, awaitsContinue: head.expectsContinue, of: self)
        self.body = body
        var request = Request(head: head.request, body: HTTPBody(source: body), exchange: identity)

        let response: Response
        var execution = Execution.loop
        do {
            let route = try server.route(&request)
            body?.byteCountMax = route.bodyMax ?? server.configuration.bodyMax
            state.currentRoute = route
            switch route.action {
            case .inline(let respond) where route.middleware.isEmpty:
                if let refusal = body?.refusal { throw refusal }
                response = try respond(request)
            case .inline:
                response = try await run(route, request)
            case .async(let place, _):
                execution = place
                response = try await run(route, request)
            }
        } catch {
            response = server.errorResponse(error, request, identity.peer)
        }

        if mustClose(after: head) { isClosing = true }
        let isUsable = !socket.isBroken && !socket.isInterrupted
        let before = sentByteCount
        var isWhole = isUsable && appendWhole(response, to: head)
        if isUsable, !isWhole { isWhole = await send(response, to: head, execution) }
        body?.expire()
        server.noteEnded(
            request, isUsable ? response.status : nil, byteCount: sentByteCount - before,
            since: started, state.loop)
        guard isWhole, let body, !body.isFinished else { return isWhole }
        return await settle(body)
    }

    /// Runs a handler that may suspend; a client that goes away meanwhile cancels it.
    private func run(_ route: Route, _ request: Request) async throws -> Response {
        watchClient(true)
        defer { watchClient(false) }
        return try await server.run(route, request, refusal: body?.refusal)
    }

    /// While it watches, a client that goes away cancels what the connection's task runs.
    func watchClient(_ isWatching: Bool) {
        socket.cancelsTask = isWatching
    }

    /// Whether the next request can't come on this connection.
    private func mustClose(after head: HTTPRequestHead) -> Bool {
        if !head.isKeepAlive || state.isDraining { return true }
        if requestCount >= server.configuration.requestsPerConnectionMax { return true }
        return !(body?.isWorthReading ?? true)
    }

    // MARK: Being told to end

    /// The server is stopping: an idle connection ends now, a busy one after its exchange.
    func drain() {
        if isIdle || isUpgraded { socket.nudgeReader() }
    }

    /// Ends the connection, whatever it is doing.
    func interrupt() {
        socket.interrupt()
    }
}
