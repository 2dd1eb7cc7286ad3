import WharfBLIPEngine
import WharfNet

/// What becomes of what comes.
extension BLIPLink {
    /// Takes a frame.
    func take(_ frame: [UInt8]) throws {
        for event in try engine.receive(frame) {
            switch event {
            case .began(let id, let head): begin(id, head)
            case .body(let id, let bytes): take(bytes, of: id)
            case .ended(let id): finish(id)
            case .failed(let id, let failure): fail(id, BLIPConnectionError(.badReply(failure)))
            case .ignored(let head): settings.tell(.ignored(number: head.number))
            }
        }
        stir()
    }

    private func begin(_ id: BLIPMessageID, _ head: BLIPMessageHead) {
        let inbox = BLIPInbox(id, .dropped, loop)
        inboxes[id] = inbox
        if id.isReply {
            guard let pending = replies[id.number] else { return }
            inbox.use = pending.isStreamed ? .streamed : .whole
            pending.head = head
            pending.inbox = inbox
            if pending.isStreamed {
                engine.noteStreamed(id)
                pending.gate.open()
            }
            return
        }
        tally.receivedRequestCount += 1
        let handler =
            head.isMeta
            ? BLIPHandler.closing(head.properties.profile) : settings.dispatcher.handler(for: head)
        inbox.use = handler.use
        if handler.isStreamed {
            engine.noteStreamed(id)
            call(handler, id, head, inbox)
        } else {
            heads[id] = head
            handlers[id] = handler
        }
    }

    private func take(_ bytes: [UInt8], of id: BLIPMessageID) {
        guard let inbox = inboxes[id], inbox.use != .dropped else {
            // Nobody wants it, and its sender is to get rid of it.
            return engine.noteUsed(id, bytes.count)
        }
        inbox.append(bytes)
        if inbox.use == .whole {
            engine.acknowledge(id)
        } else {
            streamedCount += bytes.count
            inbox.arrival.open()
        }
        if id.isReply, var tally = progress[id.request] {
            tally.state.receivedCount = inbox.receivedCount
            progress[id.request] = tally
            tally.tell()
        }
    }

    private func finish(_ id: BLIPMessageID) {
        guard let inbox = inboxes.removeValue(forKey: id) else { return }
        inbox.isWhole = true
        inbox.arrival.open()
        if id.isReply {
            noteAnswer(id.number)
            tally.receivedReplyCount += 1
            progress[id.request] = nil
            replies[id.number]?.gate.open()
        } else if let head = heads.removeValue(forKey: id),
            let handler = handlers.removeValue(forKey: id)
        {
            call(handler, id, head, inbox)
        }
    }

    /// What was to come of a message will not.
    func fail(_ id: BLIPMessageID, _ error: any Error) {
        heads[id] = nil
        handlers[id] = nil
        let failure = error as? BLIPConnectionError ?? BLIPConnectionError(.disconnected)
        if let inbox = inboxes.removeValue(forKey: id) {
            inbox.failure = failure
            engine.release(drop(inbox))
            inbox.arrival.open()
        }
        if id.isReply {
            progress[id.request] = nil
            replies[id.number]?.fail(error)
        }
    }

    // MARK: Requests

    private func call(
        _ handler: BLIPHandler, _ id: BLIPMessageID, _ head: BLIPMessageHead, _ inbox: BLIPInbox
    ) {
        waiting.append(BLIPCall(handler: handler, head: head, inbox: inbox))
        callArrival.open()
    }

    /// The requests that handlers may be called for now; `nil` when no more will come.
    func nextCalls() async throws -> [BLIPCall]? {
        while state != .over {
            let count = min(waiting.count, settings.requestMax - busyCount)
            if count > 0 {
                defer { waiting.removeFirst(count) }
                busyCount += count
                return Array(waiting.prefix(count))
            }
            try await callArrival.wait()
        }
        return nil
    }

    /// Waits until there is room for what may come next.
    ///
    /// Half of what may be held is for bodies that are read piece by piece: the window of BLIP 2 and 3
    /// counts what was compressed, and BLIP 1.1 has none, so that the connection is the window then.
    ///
    /// What handlers may be waiting for is read in any case: replies, acknowledgements, the rest of
    /// what they read. Requests that come with it have to wait here, and only so many may.
    func waitForRoom() async throws {
        while state == .open, streamedCount > 0,
            engine.heldCount >= settings.limits.heldMax / 2
        {
            try await room.wait()
        }
        while state == .open, busyCount + waiting.count >= settings.requestMax,
            !engine.needsInput
        {
            try await room.wait()
        }
        guard waiting.count <= settings.limits.incomingMax else {
            throw BLIPFault(.tooMuch, number: nil)
        }
    }

    /// A handler has returned, and its reply is queued.
    func noteAnswered(_ inbox: BLIPInbox) {
        busyCount -= 1
        discard(inbox)
        callArrival.open()
        stir()
    }

    // MARK: Bodies that are read piece by piece

    /// Whoever read a message does not want the rest.
    func discard(_ inbox: BLIPInbox) {
        engine.release(inbox.lentCount)
        inbox.lentCount = 0
        guard inbox.use != .dropped else { return }
        let count = drop(inbox)
        inbox.use = .dropped
        engine.noteUsed(inbox.id, count)
    }

    private func drop(_ inbox: BLIPInbox) -> Int {
        let count = inbox.drop()
        if inbox.use == .streamed { streamedCount -= count }
        return count
    }

    /// The next piece, if it is there.
    func takePiece(of inbox: BLIPInbox) -> [UInt8]? {
        guard !inbox.isReading, inbox.use != .dropped, let piece = inbox.take() else { return nil }
        if inbox.use == .streamed { streamedCount -= piece.count }
        engine.noteUsed(inbox.id, piece.count)
        stir()
        return piece
    }

    /// The next piece; `nil` at the end.
    func nextPiece(of inbox: BLIPInbox) async throws -> [UInt8]? {
        guard !inbox.isReading else { throw BLIPConnectionError(.notReadable) }
        while true {
            if let piece = takePiece(of: inbox) { return piece }
            if let failure = inbox.failure { throw failure }
            guard inbox.use != .dropped else { throw BLIPConnectionError(.notReadable) }
            guard !inbox.isWhole else { return nil }
            inbox.isReading = true
            defer { inbox.isReading = false }
            try await inbox.arrival.wait()
        }
    }

    /// All of a message that was kept until it was there whole; it counts until it is discarded.
    func takeWhole(_ inbox: BLIPInbox) -> [UInt8] {
        let bytes = inbox.take() ?? []
        inbox.lentCount += bytes.count
        return bytes
    }
}

extension BLIPMessageID {
    /// The request that this is the reply to.
    fileprivate var request: BLIPMessageID { .request(number) }
}
