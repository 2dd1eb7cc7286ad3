import WharfBLIPEngine
import WharfNet

/// One engine on its loop, and who waits for what.
///
/// Three tasks run it once it is open: one receives frames, one sends them, and one hands requests to
/// their handlers. Whoever sends or reads a body comes here through ``WharfNet/EventLoop/confine(_:)``.
final class BLIPLink: @unchecked Sendable {
    // @unchecked: used on the loop's thread only, but for what is constant.

    let loop: EventLoop
    let settings: BLIPSettings
    var engine: BLIPEngine
    var tally = BLIPStatistics()

    // Its life
    enum State {
        case connecting, open, over
    }
    var state = State.connecting
    /// Why it ended, if not because both ends wanted that.
    var failure: (any Error)?
    var closing = BLIPClosing()
    /// The number of the request by which this end has asked to close.
    var byeNumber: UInt64?
    /// What is to be sent to the transport instead of more frames.
    var closeWanted: (code: UInt16, reason: String)?
    let opening: LoopGate
    let ending: LoopGate

    // What comes
    var inboxes: [BLIPMessageID: BLIPInbox] = [:]
    var heads: [BLIPMessageID: BLIPMessageHead] = [:]
    var handlers: [BLIPMessageID: BLIPHandler] = [:]
    /// Requests that wait for their handlers to be called.
    var waiting: [BLIPCall] = []
    /// Requests that handlers are at work on.
    var busyCount = 0
    /// Bytes that wait to be read by who reads piece by piece.
    var streamedCount = 0
    let callArrival: LoopGate
    let room: LoopGate

    // What goes
    var replies: [UInt64: PendingReply] = [:]
    var progress: [BLIPMessageID: ProgressTally] = [:]
    let wake: LoopGate
    let drained: LoopGate
    var wasActive = false

    init(_ settings: BLIPSettings, loop: EventLoop) {
        self.settings = settings
        self.loop = loop
        engine = BLIPEngine(.v3, limits: settings.limits)
        opening = LoopGate(loop)
        ending = LoopGate(loop)
        callArrival = LoopGate(loop)
        room = LoopGate(loop)
        wake = LoopGate(loop)
        drained = LoopGate(loop)
    }

    // MARK: Its life

    /// The two ends have agreed on a version: what was queued may go.
    func open(_ version: BLIPVersion) {
        guard state == .connecting else { return }
        engine = BLIPEngine(
            version, limits: settings.limits, level: settings.compressionLevel)
        state = .open
        opening.open()
        settings.tell(.opened(version))
    }

    /// Waits until it is open.
    ///
    /// Throws what kept it from opening, and ``BLIPConnectionError`` when it is over.
    func waitForOpening() async throws {
        while state == .connecting { try await opening.wait() }
        try checkOpen()
    }

    func checkOpen() throws {
        guard state == .open else { throw endError }
        guard closing.maySend, closeWanted == nil else { throw BLIPConnectionError(.closing) }
    }

    /// What is told to who needs a connection that is over.
    var endError: any Error {
        if let failure, !(failure is BLIPFault) { return failure }
        return BLIPConnectionError(.disconnected)
    }

    /// The connection has ended: everything that is waited for fails.
    func end(_ error: (any Error)?) {
        guard state != .over else { return }
        let hasOpened = state == .open
        state = .over
        // Who has agreed to close, and has finished, may see the other end's end first.
        failure = closing.isAgreed && engine.isIdle ? nil : error
        _ = engine.end()
        let lost = BLIPConnectionError(.disconnected)
        let told: any Error = hasOpened ? lost : error ?? lost
        for id in inboxes.keys.sorted(by: { $0.number < $1.number }) {
            fail(id, told)
        }
        for number in replies.keys.sorted() {
            replies[number]?.fail(told)
        }
        inboxes = [:]
        heads = [:]
        handlers = [:]
        waiting = []
        progress = [:]
        for gate in [opening, ending, callArrival, room, wake, drained] { gate.open() }
        settings.tell(.closed(failure))
    }

    /// Wakes whoever may go on after something has changed.
    func stir() {
        if engine.hasFrames || closeWanted != nil || isDone { wake.open() }
        drained.open()
        room.open()
        let isActive = !engine.isIdle || busyCount > 0
        guard isActive != wasActive else { return }
        wasActive = isActive
        if settings.hasListener { settings.tell(.activity(isActive)) }
    }

    /// Whether both ends have agreed to close, and nothing is left to be done.
    var isDone: Bool { closing.isAgreed && engine.isIdle && busyCount == 0 }

    // MARK: Its tasks

    /// Receives until nothing more comes.
    func receive(_ transport: any BLIPTransport) async {
        let result = await catching { try await receiveAll(transport) }
        if let fault = result.thrown as? BLIPFault {
            await transport.close(fault.closeCode, fault.description)
        }
        end(result.thrown ?? BLIPConnectionError(.disconnected))
    }

    private func receiveAll(_ transport: any BLIPTransport) async throws {
        while state == .open, let frame = try await transport.receive() {
            tally.receivedFrameCount += 1
            tally.receivedByteCount += frame.count
            try take(frame)
            try await waitForRoom()
        }
    }

    /// Sends until the connection is to end.
    func send(_ transport: any BLIPTransport) async {
        let result = await catching { try await sendAll(transport) }
        if let failure = result.thrown { end(failure) }
    }

    private func sendAll(_ transport: any BLIPTransport) async throws {
        while state == .open {
            try await transport.send { try nextFrame() }
            drained.open()
            if let closeWanted {
                await transport.close(closeWanted.code, closeWanted.reason)
                return end(BLIPConnectionError(.disconnected))
            }
            if isDone {
                // The other end's end is awaited by who receives.
                return await transport.close(1000, "")
            }
            // Something may have come while what was sent had to wait.
            if !engine.hasFrames, closeWanted == nil, !isDone { try await wake.wait() }
        }
    }

    private func nextFrame() throws -> [UInt8]? {
        guard state == .open, closeWanted == nil, let sent = try engine.nextFrame() else {
            return nil
        }
        tally.sentFrameCount += 1
        tally.sentByteCount += sent.bytes.count
        if let id = sent.id {
            noteSent(id, sent)
            if sent.isLast { stir() }
        }
        return sent.bytes
    }
}
