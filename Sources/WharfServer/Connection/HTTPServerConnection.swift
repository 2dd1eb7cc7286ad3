import WharfHTTP
import WharfNet

/// One connection and the life of its requests. Read this first.
///
/// One task runs ``serve()`` on one loop, and everything here is used on that loop only. The order
/// of an exchange is fixed: nothing of a body is read before the handler, after every middleware,
/// asks for it, and a body that is broken never looks whole.
@safe final class HTTPServerConnection: @unchecked Sendable {
    // @unchecked: confined to the loop; bodies and writers come here through `confine`.

    let id: UInt64
    let server: ServerContext
    let state: LoopState
    let socket: Socket
    let identity: ConnectionIdentity

    /// Received and not used yet. Between requests it holds no memory.
    @exclusivity(unchecked) var inbox = ReadBuffer()
    /// Ready to be sent: the answers to pipelined requests leave together.
    @exclusivity(unchecked) var outbox: [UInt8] = []
    /// The body of the present request.
    @exclusivity(unchecked) var body = RequestBody.none
    /// The connection ends after the present exchange.
    @exclusivity(unchecked) var isClosing = false
    /// The connection belongs to another protocol now.
    var isUpgraded = false
    /// Bytes of bodies that were handed to the kernel.
    @exclusivity(unchecked) var sentByteCount: Int64 = 0

    @exclusivity(unchecked) private var requestCount = 0
    @exclusivity(unchecked) private var isIdle = false
    private var task: UnsafeCurrentTask?

    init(_ socket: Socket, peer: Peer, server: ServerContext, state: LoopState) {
        id = peer.connectionID
        self.socket = socket
        self.server = server
        self.state = state
        identity = ConnectionIdentity(peer: peer)
    }

    /// Answers requests until the connection ends.
    func serve() async {
        // The task outlives its use: `dependentTask` is cleared whenever no handler runs.
        unsafe withUnsafeCurrentTask { unsafe task = $0 }
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
        unsafe state.giveBack(inbox.takeStorage())
        unsafe state.giveBack(outbox)
        unsafe outbox = []
        guard unsafe !state.isDraining else { return hasReceived() }
        unsafe isIdle = true
        let readiness = await socket.waitReadable(until: state.loop.now &+ server.idleTimeout)
        unsafe isIdle = false
        switch readiness {
        case .ready: return true
        case .timedOut, .busy: return false
        // The server is being stopped: a request that has arrived meanwhile is still answered.
        case .interrupted: return !socket.isInterrupted && hasReceived()
        }
    }

    private func hasReceived() -> Bool {
        if case .bytes = unsafe socket.receive(into: &inbox, countMax: Self.receiveMax) {
            return true
        }
        return false
    }

    /// Answers what has been received, until no byte is left. False: the connection is to end.
    private func answerRequests() async -> Bool {
        if unsafe inbox.isEmpty { unsafe inbox = ReadBuffer(state.takeBuffer()) }
        unsafe outbox = state.takeBuffer()
        repeat {
            switch await readHead() {
            case .head(let head):
                guard await exchange(head), unsafe !isClosing else { return false }
            case .refused(let error):
                await refuse(error)
                return false
            case .nothing:
                return true
            case .ended:
                return false
            }
        } while unsafe !inbox.isEmpty
        return await flush()
    }

    // MARK: One exchange

    /// Answers one request. False: the connection can't be used any more.
    private func exchange(_ head: HTTPRequestHead) async -> Bool {
        unsafe requestCount += 1
        let started = state.loop.now
        unsafe body = RequestBody(head.framing, awaitsContinue: head.expectsContinue)
        let reader = unsafe body.isFinished ? nil : BodyReader(self, length: body.remaining)
        var request = Request(
            head: head.request, body: HTTPBody(source: reader), exchange: identity)

        var execution = Execution.loop
        let response = await answer(&request, head, &execution)
        if socket.isBroken || socket.isInterrupted {
            reader?.expire()
            server.noteEnded(request, nil, byteCount: 0, since: started, state.loop)
            return false
        }
        unsafe isClosing = unsafe isClosing || mustClose(after: head)
        let (isWhole, byteCount) = await send(response, to: head, execution)
        reader?.expire()
        server.noteEnded(
            request, response.status, byteCount: byteCount, since: started, state.loop)
        guard isWhole else { return false }
        return await settleBody()
    }

    /// The handler's response, or the one that its error becomes.
    private func answer(
        _ request: inout Request, _ head: HTTPRequestHead, _ execution: inout Execution
    ) async -> Response {
        do {
            let route = try server.route(&request)
            if case .async(let place, _) = route.action { execution = place }
            unsafe body.byteCountMax = route.bodyMax ?? server.configuration.bodyMax
            unsafe state.currentRoute = route
            if case .inline(let respond) = route.action, route.middleware.isEmpty {
                if let refusal { throw refusal }
                return try respond(request)
            }
            watchClient(true)
            defer { watchClient(false) }
            return try await server.run(route, request, refusal: refusal)
        } catch {
            return server.errorResponse(error, request, identity.peer)
        }
    }

    /// While it watches, a client that goes away cancels what the connection's task runs.
    func watchClient(_ isWatching: Bool) {
        unsafe socket.dependentTask = isWatching ? task : nil
    }

    /// What a body that says itself that it is too long is refused with, before any of it is read.
    private var refusal: HTTPBodyTooLarge? {
        guard let length = unsafe body.remaining, unsafe length > body.byteCountMax else {
            return nil
        }
        return unsafe HTTPBodyTooLarge(byteCountMax: body.byteCountMax)
    }

    /// Whether the next request can't come on this connection.
    private func mustClose(after head: HTTPRequestHead) -> Bool {
        if unsafe !head.isKeepAlive || state.isDraining { return true }
        if unsafe requestCount >= server.configuration.requestsPerConnectionMax { return true }
        if unsafe body.isFinished { return false }
        // RFC 9110 §10.1.1: without a 100 the client may send the body or not: its end is unknown.
        return unsafe body.hasFailed || body.awaitsContinue || (body.remaining ?? 0) > Self.drainMax
    }

    // MARK: Being told to end

    /// The server is stopping: an idle connection ends now, a busy one after its exchange.
    func drain() {
        if unsafe isIdle || isUpgraded { socket.nudgeReader() }
    }

    /// Ends the connection, whatever it is doing.
    func interrupt() {
        socket.interrupt()
    }
}
