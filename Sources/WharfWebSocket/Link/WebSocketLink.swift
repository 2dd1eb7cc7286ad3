import WharfCrypto
import WharfNet
import WharfWebSocketCodec

/// One WebSocket on its loop: what both ends do alike.
///
/// Three tasks share it, all of the same loop: one reads and queues what comes, one writes what the
/// socket did not take at once, and the user's, which comes here by way of ``WebSocket``.
final class WebSocketLink: @unchecked Sendable {
    // @unchecked: used on the loop's thread only; ``WebSocket`` comes here through `confine`.

    /// Why nothing more comes.
    enum End {
        case closed(WebSocketClose)
        case failed(WebSocketConnectionError)
    }

    let stream: ByteStream
    let options: WebSocketOptions
    /// Whether the server that it belongs to is being stopped.
    private let isStopping: () -> Bool
    var beat: WebSocketHeartbeat
    private let timer: LoopTimer

    var decoder: WebSocketDecoder
    var encoder: WebSocketEncoder

    // What comes
    var inbound = PieceQueue()
    var end: End?
    /// Nothing can be sent any more, whatever the other end said before.
    private(set) var isLost = false
    var isReceiving = false
    /// Nobody will take what comes: only a Close is waited for.
    var isDiscarding = false
    let arrival: LoopGate
    let room: LoopGate
    let closing: LoopGate

    // What goes
    var hasSentClose = false
    /// The reader will send what was written, after the others have had their turn.
    var isBatching = false
    var isWriting = false
    /// A message is being sent in parts.
    var isInMessage = false
    let wake: LoopGate
    let drained: LoopGate
    let lane: LoopGate

    /// The closure has returned.
    private(set) var isOver = false

    var loop: EventLoop { stream.socket.loop }

    init(
        _ role: WebSocketRole, _ stream: ByteStream, options: WebSocketOptions,
        deflate: DeflateAgreement?, isStopping: @escaping () -> Bool = { false }
    ) {
        self.stream = stream
        self.options = options
        self.isStopping = isStopping
        let loop = stream.socket.loop
        decoder = WebSocketDecoder(role, limits: options.limits, deflate: deflate)
        encoder = WebSocketEncoder(
            role, deflate: deflate, compression: options.compression ?? WebSocketCompression(),
            randomBytes: Random.bytes)
        beat = WebSocketHeartbeat(options, now: loop.now)
        timer = LoopTimer(loop)
        arrival = LoopGate(loop)
        room = LoopGate(loop)
        closing = LoopGate(loop)
        wake = LoopGate(loop)
        drained = LoopGate(loop)
        lane = LoopGate(loop)
    }

    // MARK: Its life

    /// Lends the connection to a closure, closes it afterwards, and returns when that is done.
    ///
    /// Throws what the closure throws.
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        startTimer()
        defer { timer.stop() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await read() }
            group.addTask { [self] in await write() }
            let result: Result<Value, any Error>
            stream.socket.cancelsTask = true
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            stream.socket.cancelsTask = false
            await finish(hasFailed: (try? result.get()) == nil)
            return try result.get()
        }
    }

    /// Says goodbye and waits for the answer, if that was not done before.
    private func finish(hasFailed: Bool) async {
        await close(WebSocketClose(hasFailed ? .internalError : .normal))
        isOver = true
        for gate in [wake, room, drained, lane, arrival] { gate.open() }
        stream.socket.nudgeReader()
    }

    /// Waits until the other end has closed, too, and all is sent; for as long as it may take.
    func waitForEnd() async {
        timer.hurry(by: beat.beginClosing(loop.now))
        while end == nil { await closing.waitUncancelled() }
        while stream.outputCount > 0 || isWriting, !isLost { await drained.waitUncancelled() }
    }

    /// Closes before the closure has returned.
    func close(_ close: WebSocketClose) async {
        guard !isOver else { return }
        isDiscarding = true
        inbound.removeAll()
        room.open()
        sendClose(close)
        await waitForEnd()
    }

    /// What the other end has closed with.
    var closeReceived: WebSocketClose? {
        if case .closed(let close) = end { close } else { nil }
    }

    // MARK: Its clock

    private func startTimer() {
        guard case .wait(let first) = beat.look(loop.now) else { return }
        timer.start(by: first) { [unowned self] now in look(at: now) }
    }

    /// Does what is due; answers when to look again.
    private func look(at now: UInt64) -> UInt64? {
        // Nobody takes what has come: then it is not the other end that is silent.
        if inbound.isFull { beat.note(now) }
        switch beat.look(now) {
        case .wait(let next): return next == .max ? nil : next
        case .ping(let next):
            if end == nil { sendPing() }
            return next
        case .answerClose:
            answerClose()
            return nil
        case .giveUp:
            lose(.timedOut)
            stream.reset()
            return nil
        }
    }

    // MARK: Ending

    /// Nothing more comes.
    func end(_ reason: End) {
        guard end == nil else { return }
        end = reason
        openGates()
    }

    private func openGates() {
        for gate in [arrival, closing, drained, room, lane, wake] { gate.open() }
    }

    /// The other end has closed.
    ///
    /// RFC 6455 §5.5.1: the answer may wait for what is being sent; so what came before the Close
    /// can still be answered, until somebody wants to receive more, or half of the time is over
    /// that we would wait for an answer ourselves.
    func owe(_ close: WebSocketClose) {
        end(.closed(close))
        timer.hurry(by: beat.beginOwing(loop.now))
    }

    func answerClose() {
        sendClose(closeReceived ?? WebSocketClose(.noCode))
    }

    /// The connection is of no use any more.
    func lose(_ kind: WebSocketConnectionError.Kind) {
        isLost = true
        end(.failed(WebSocketConnectionError(kind)))
        openGates()
        stream.socket.interrupt()
    }

    /// The server is being stopped: the other end is told so, once.
    func tellStop() {
        guard isStopping(), !hasSentClose else { return }
        sendClose(WebSocketClose(.goingAway))
        // Who never answers is not to keep the server from ending.
        timer.hurry(by: beat.beginClosing(loop.now))
    }
}
