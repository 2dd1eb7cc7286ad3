import WharfBLIPEngine
import WharfNet

/// How both ends come to an end.
extension BLIPLink {
    /// Asks the other end to close, and waits until the connection has ended.
    ///
    /// Throws the ``BLIPError`` that it refuses with.
    func closeWhenDone() async throws {
        try await waitForOpening()
        if engine.version.hasBye {
            let pending = askBye()
            defer { forget(pending) }
            let inbox = try? await wait(for: pending)
            if let head = pending.head, let inbox, closing.maySend {
                let reply = BLIPReply(head: head, body: takeWhole(inbox))
                throw reply.error ?? .closeDenied
            }
        } else {
            closing.accept()
        }
        stir()
        while state != .over { try await ending.wait() }
    }

    private func askBye() -> PendingReply {
        closing.ask()
        var bye = BLIPOutgoing(["Profile": BLIPClosing.profile])
        bye.head.isMeta = true
        let number = engine.send(bye)
        let pending = PendingReply(number, isStreamed: false, loop)
        replies[number] = pending
        byeNumber = number
        stir()
        return pending
    }

    /// A reply is there whole: the other end may follow it by its end, so that is counted at once.
    func noteAnswer(_ number: UInt64) {
        guard number == byeNumber, let head = replies[number]?.head else { return }
        // Whoever does not know the request has nothing against it.
        let isUnknown =
            head.properties["Error-Code", as: Int.self] == 404
            && head.properties["Error-Domain"] ?? "BLIP" == "BLIP"
        closing.noteAnswer(isRefusal: head.isError && !isUnknown)
    }

    /// The other end wants to close.
    func answerBye(_ connection: BLIPConnection) async throws -> BLIPMessage {
        let mayRefuse = try await loop.confine { [self] in closing.mayRefuse }
        if mayRefuse, let mayClose = settings.mayClose, await !mayClose(connection) {
            throw BLIPError.closeDenied
        }
        try await loop.confine { [self] in closing.accept() }
        return BLIPMessage()
    }

    /// Ends the connection with a code once the frame that is being sent is out.
    func close(_ code: UInt16, _ reason: String) {
        guard closeWanted == nil, state != .over else { return }
        closeWanted = (code, reason)
        if state == .connecting { end(BLIPConnectionError(.disconnected)) }
        wake.open()
    }

    /// There is no other way to keep a part from being taken for the whole.
    func closeForTorn() { close(1011, "a message can't be sent to its end") }
}
