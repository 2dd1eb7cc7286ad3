import WharfHTTP
import WharfNet

/// One connection and the life of its requests.
///
/// Read this first.
///
/// One task runs ``serve()`` on one loop, and everything here is used on that loop only. The order
/// of an exchange is fixed: nothing of a body is read before the handler, after every middleware,
/// asks for it, and a body that is broken never looks whole.
final class HTTPServerConnection: IdleReader, @unchecked Sendable {
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
    /// The client has said with its last request that none follows.
    var clientIsDone = false
    /// The connection belongs to another protocol now.
    var isUpgraded = false
    /// Where the body of the present answer lies.
    var bodyExtent = BodyExtent.none
    /// What is over and was not told of yet.
    @exclusivity(unchecked) var ended: [EndedExchange] = []

    /// Keeps the exchanges for a replay.
    let recorder: ExchangeRecorder?

    private(set) var requestCount = 0
    /// What is answered now, if that takes more than a moment.
    private(set) var present: Exchange?
    /// Bytes that are in the counters already.
    @exclusivity(unchecked) var countedTraffic: (received: Int64, sent: Int64) = (0, 0)
    private var isIdle = false
    /// It has something to do.
    var isBusy: Bool { !isIdle }
    /// How far requests got that were answered while the task was waiting.
    private var pending: Progress?

    init(_ socket: Socket, _ identity: ConnectionIdentity, state: LoopState) {
        let server = identity.server
        id = identity.peer.connectionID
        recorder = server.configuration.recording.map { ExchangeRecorder($0, server: server) }
        stream = ByteStream(socket, patience: server.writeTimeout, tap: recorder)
        self.server = server
        self.state = state
        self.identity = identity
    }

    // The functions that suspend are not inlined: the frame of an idle connection is to hold what
    // it waits with, and not what an exchange needs.

    /// Answers requests until the connection ends.
    @inline(never)
    func serve() async {
        socket.rememberTask()
        socket.limitPace(server.paceLimit)
        state.insert(self)
        var isReady = true
        if let security = identity.security { isReady = await secure(security.current) }
        while isReady, await waitForRequest() {
            guard await answerRequests() else { break }
        }
        await end()
        recorder?.begin()
        tellClosed()
        state.remove(self)
    }

    /// Waits for a first byte with as little memory as can be.
    ///
    /// False: the connection is to end.
    @inline(never)
    private func waitForRequest() async -> Bool {
        guard !state.closesIdle else { return hasReceived() }
        // Mostly the first request has come with the connection.
        if socket.mayHaveInput, dealWithInput() == nil { return true }
        stream.rest()
        isIdle = true
        socket.letDealWithInput(self)
        let readiness = await socket.waitReadable(
            until: state.loop.now &+ server.presentIdleTimeout)
        socket.letDealWithInput(nil)
        isIdle = false
        switch readiness {
        case .ready: return true
        case .timedOut, .busy: return false
        // The server is being stopped: a request that has arrived meanwhile is still answered.
        case .interrupted: return !socket.isInterrupted && hasReceived()
        }
    }

    /// Answers requests while the task waits; it is resumed when there is something to wait for.
    func dealWithInput() -> UInt64? {
        let progress = answerAtOnce()
        guard case .idle = progress else {
            pending = progress
            return nil
        }
        stream.rest()
        return state.loop.now &+ server.presentIdleTimeout
    }

    private func hasReceived() -> Bool {
        if case .bytes = stream.receive(countMax: Self.receiveMax) { true } else { false }
    }

    /// Answers what has been received, until no byte is left.
    ///
    /// False: the connection is to end.
    @inline(never)
    private func answerRequests() async -> Bool {
        while true {
            let progress = pending ?? answerAtOnce()
            pending = nil
            switch progress {
            case .idle: return true
            case .ended: return false
            case .busy: break
            case .exchange(let exchange):
                guard await finish(exchange), !isClosing else { return false }
            case .incomplete:
                guard await awaitHead() else { return false }
            }
            guard await flush() else { return false }
            await socket.yieldIfDue()
        }
    }

    // MARK: What needs no waiting

    private enum Progress {
        /// Everything that came is answered, and the answers are sent.
        case idle
        case ended
        /// There is more to answer or to send, but others are to have a turn.
        case busy
        case exchange(Exchange)
        /// A head has begun and is not there whole.
        case incomplete
    }

    /// Answers requests whose handlers answer in place, as long as nothing has to be waited for.
    private func answerAtOnce() -> Progress {
        while true {
            switch readHead() {
            case .head(let head):
                if let exchange = answerInPlace(head) { return .exchange(exchange) }
                if isClosing { return .ended }
                if socket.hasUsedItsTurn { return .busy }
            case .refused(let error):
                refuse(error)
                return .ended
            case .nothing:
                guard stream.flushAtOnce() else { return .busy }
                noteTraffic()
                if unsafe !ended.isEmpty { tellEnded() }
                return .idle
            case .incomplete: return .incomplete
            case .ended: return .ended
            }
        }
    }

    /// Answers one request, or says what is left to do for it.
    private func answerInPlace(_ head: consuming HTTPRequestHead) -> Exchange? {
        requestCount += 1
        state.tally.noteRequest()
        clientIsDone = !head.isKeepAlive
        let started = state.loop.now
        let body = RequestBody.announced(
            by: head.framing, awaitsContinue: head.expectsContinue, of: self)
        body?.noteCoding(head.request.headerFields)
        if body != nil || self.body != nil { self.body = body }
        var request = Request(head, body: HTTPBody(source: body), exchange: identity)
        let response: Response
        do {
            if server.events.hasListeners { tellBegun(request) }
            let route = try server.route(&request)
            body?.byteCountMax = server.bodyMax(of: route)
            state.currentRouteID = route.id
            guard
                let answer = try server.answerAtOnce(route, request, body, now: { unixTime })
            else {
                return Exchange(request, body, route: route, response: nil, started: started)
            }
            response = answer
        } catch {
            response = server.errorResponse(error, request, now: state.loop.now)
        }
        guard body == nil else {
            return Exchange(request, body, route: nil, response: response, started: started)
        }
        let isHead = request.method == .head
        let version = request.received.version
        let isClosing = mustClose(isKeepAlive: request.received.isKeepAlive)
        if !appendWhole(response, isHead: isHead, version: version, isClosing: isClosing) {
            let rest =
                isHead ? nil : beginFile(response, version: version, isClosing: isClosing)
            guard let rest, rest.range.isEmpty else {
                return Exchange(
                    request, body, route: nil, response: response, rest: rest, started: started)
            }
        }
        noteEnded(request, response.status, isWhole: true, since: started)
        identity.forgetUser()
        return nil
    }

    // MARK: What may wait

    /// Answers one request.
    ///
    /// False: the connection can't be used any more.
    @inline(never)
    private func finish(_ exchange: Exchange) async -> Bool {
        present = exchange
        defer {
            present = nil
            identity.forgetUser()
        }
        if let route = exchange.route {
            bodyExtent = .none
            // A handler may take long, and earlier answers must not wait for it.
            guard await flush() else { return await abandon(exchange) }
            exchange.response = await response(of: route, exchange)
        }
        assert(state.loop.isCurrent)
        if let error = faultOfUnreadBody(exchange) {
            exchange.response = server.errorResponse(
                error, exchange.request, now: state.loop.now)
        }
        let isUsable = !socket.isBroken && !socket.isInterrupted
        let isWhole = isUsable ? await send(exchange) : false
        if let body = exchange.body { await expire(body) }
        noteEnded(
            exchange.request, isUsable ? exchange.response?.status : nil, isWhole: isWhole,
            since: exchange.started)
        await identity.tellSent(isWhole: isWhole)
        guard isWhole, let body = exchange.body, !body.isFinished else { return isWhole }
        return await settle(body)
    }

    /// Nobody is left to be answered; false.
    private func abandon(_ exchange: Exchange) async -> Bool {
        exchange.body?.expire()
        noteEnded(exchange.request, nil, isWhole: false, since: exchange.started)
        await identity.tellSent(isWhole: false)
        return false
    }

    /// The handler's response, or the one that its error becomes.
    ///
    /// A client that goes away meanwhile cancels the handler.
    @inline(never)
    private func response(of route: Route, _ exchange: Exchange) async -> Response {
        watchClient(true)
        defer { watchClient(false) }
        do {
            return try await server.answer(
                route, exchange.request, refusal: exchange.body?.refusal, now: { unixTime })
        } catch {
            assert(state.loop.isCurrent)
            guard !socket.isBroken, !socket.isInterrupted else {
                // Nobody is there to be answered, and what the handler met is a consequence.
                server.log(.info, "\(identity.peer.address): gone before the answer: \(error)")
                return .status(.internalServerError)
            }
            return server.errorResponse(error, exchange.request, now: state.loop.now)
        }
    }

    private var unixTime: Int64 { state.loop.system.unixTime() }

    /// While it watches, a client that goes away cancels what the connection's task runs.
    func watchClient(_ isWatching: Bool) {
        socket.cancelsTask = isWatching
    }

    /// Whether the next request can't come on this connection.
    func mustClose(isKeepAlive: Bool) -> Bool {
        isClosing || !isKeepAlive || state.closesIdle
            || requestCount >= server.configuration.requestsPerConnectionMax
            || !(body?.isWorthReading ?? true)
    }

    // MARK: Being told to end

    /// The server is stopping: an idle connection ends now, a busy one after its exchange.
    func drain() {
        if isUpgraded { socket.nudgeReader() }
        endIfIdle()
        // A stream of events has no end that could be waited for.
        if socket.cancelsTaskAtFinish { socket.cancelTask() }
    }

    /// Ends the connection if it waits for a request.
    func endIfIdle() {
        if isIdle { socket.nudgeReader() }
    }

    /// Ends the connection, whatever it is doing.
    func interrupt() {
        socket.interrupt()
    }
}
