import WharfBLIPEngine
import WharfNet

/// What becomes of what is to be sent.
extension BLIPLink {
    /// Bytes of a message that grows that may wait to be sent.
    private static let writtenMax = 64 * 1024

    // MARK: Requests

    /// Queues a request that wants a reply.
    ///
    /// Before the connection is open, and while too much waits to be sent, it waits.
    func ask(
        _ message: BLIPMessage, isStreamed: Bool, _ observer: BLIPProgress.Observer?
    ) async throws -> PendingReply {
        let number = try await queue(message, wantsNoReply: false, observer)
        let pending = PendingReply(number, isStreamed: isStreamed, loop)
        replies[number] = pending
        stir()
        return pending
    }

    /// Queues a request that wants no reply; answers its number.
    func tell(_ message: BLIPMessage, _ observer: BLIPProgress.Observer?) async throws -> UInt64 {
        let number = try await queue(message, wantsNoReply: true, observer)
        stir()
        return number
    }

    private func queue(
        _ message: BLIPMessage, wantsNoReply: Bool, _ observer: BLIPProgress.Observer?
    ) async throws -> UInt64 {
        try await waitForOpening()
        let outgoing = message.outgoing(wantsNoReply: wantsNoReply)
        guard message.properties.canBeSent(engine.version), engine.hasNumbers else {
            throw BLIPConnectionError(.notSendable)
        }
        try await waitToQueue(outgoing.body.count)
        try checkOpen()
        tally.sentRequestCount += 1
        let number = engine.send(outgoing, isWhole: message.writing == nil)
        if let observer {
            progress[.request(number)] = ProgressTally(
                observer, total: message.writing == nil ? outgoing.body.count : nil,
                headCount: message.properties.byteCount(engine.version), endsWhenSent: wantsNoReply)
        }
        return number
    }

    private func waitToQueue(_ count: Int) async throws {
        let countMax = settings.limits.heldMax
        while state == .open, engine.unsentCount > 0, count > countMax - engine.heldCount {
            try await drained.wait()
        }
    }

    /// Waits for a reply: to its head if it is read piece by piece, else to its end.
    func wait(for pending: PendingReply) async throws -> BLIPInbox {
        while true {
            if let failure = pending.failure { throw failure }
            if let inbox = pending.inbox, pending.isStreamed || inbox.isWhole {
                return inbox
            }
            try await pending.gate.wait()
        }
    }

    /// Nobody waits for a reply any more: it was used, or whoever asked was cancelled.
    func forget(_ pending: PendingReply) {
        replies[pending.number] = nil
        progress[.request(pending.number)] = nil
        if let inbox = pending.inbox { discard(inbox) }
        if engine.giveUp(request: pending.number) == .torn { closeForTorn() }
        stir()
    }

    // MARK: Replies

    /// Queues a reply; answers whether it is wanted.
    func reply(to number: UInt64, _ message: BLIPMessage) async throws -> Bool {
        guard state == .open else { return false }
        var outgoing = message.outgoing()
        if !message.properties.canBeSent(engine.version) {
            outgoing = BLIPMessage(.handlerFailed).outgoing()
        }
        try await waitToQueue(outgoing.body.count)
        guard state == .open else { return false }
        let isWanted = engine.reply(to: number, outgoing, isWhole: message.writing == nil)
        if isWanted { tally.sentReplyCount += 1 }
        stir()
        return isWanted
    }

    // MARK: Messages that grow

    func write(_ bytes: [UInt8], to id: BLIPMessageID) async throws {
        guard state == .open, closeWanted == nil else { throw endError }
        engine.append(bytes, to: id)
        stir()
        while state == .open, engine.unsentCount(of: id) >= Self.writtenMax {
            // It can't grow until something of it is sent, whether or not the request is whole.
            if id.isReply {
                engine.letGo(id.number)
                wake.open()
            }
            try await drained.wait()
        }
        guard state == .open else { throw endError }
    }

    func finishWriting(_ id: BLIPMessageID) {
        engine.finish(id)
        stir()
    }

    /// A reply's body will not be there whole.
    func giveUpReply(to number: UInt64, _ error: BLIPError) {
        let outgoing = BLIPMessage(error).outgoing()
        let isMarked = settings.marksTornReplies
        if engine.giveUp(replyTo: number, outgoing, isMarked: isMarked) == .torn { closeForTorn() }
        stir()
    }

    /// A request's body will not be there whole.
    func giveUpRequest(_ number: UInt64, _ error: any Error) {
        replies[number]?.fail(error)
        if engine.giveUp(request: number) == .torn { closeForTorn() }
        stir()
    }

    // MARK: Progress

    func noteSent(_ id: BLIPMessageID, _ sent: BLIPEngine.Sent) {
        drained.open()
        guard !id.isReply, var tally = progress[id] else { return }
        tally.noteSent(sent.count, isLast: sent.isLast)
        progress[id] = tally
        if sent.isLast, tally.endsWhenSent { progress[id] = nil }
        tally.tell()
    }
}
