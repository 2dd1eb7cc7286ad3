/// One end of a BLIP connection, without the connection: frames in and out, messages out and in.
///
/// It takes frames in the order in which they come, and gives out the frames to be sent. It keeps the
/// numbers, takes turns between messages, and holds back those whose receiver does not keep up.
/// Bodies of messages to be sent are given whole; those that come are told of piece by piece.
package struct BLIPEngine: ~Copyable {
    private let version: BLIPVersion
    private let limits: BLIPLimits
    private var decoder: BLIPFrameDecoder
    private var encoder: BLIPFrameEncoder

    private var incoming: [BLIPMessageID: IncomingMessage] = [:]
    /// The number of the other end's newest request.
    private var lastReceived: UInt64 = 0
    /// Requests of the other end that were not replied to: whether replies have to be urgent.
    private var unreplied: [UInt64: Bool] = [:]
    /// Replies that are ready before their request is there whole.
    private var early: [UInt64: BLIPOutgoing] = [:]

    /// The number of our newest request.
    private var lastSent: UInt64 = 0
    /// Our requests that were not replied to.
    private var unanswered: Set<UInt64> = []
    private var queue = SendQueue()
    private var acknowledgements: [(BLIPFrameHead, UInt64)] = []

    /// An engine; `level` is how hard it compresses, from 0 (never) to 9.
    package init(_ version: BLIPVersion, limits: BLIPLimits = BLIPLimits(), level: Int = 6) {
        self.version = version
        self.limits = limits
        decoder = BLIPFrameDecoder(version, frameMax: limits.frameMax)
        encoder = BLIPFrameEncoder(version, level: level)
    }

    // MARK: Receiving

    /// Takes a frame; answers what it brings.
    ///
    /// What it throws is final: the connection has to end.
    package mutating func receive(_ bytes: [UInt8]) throws(BLIPFault) -> [BLIPEvent] {
        let frame = try decoder.decode(bytes)
        let number = frame.head.number
        if version == .v2, frame.head.flags.rawValue > 0xFF {
            throw BLIPFault(.malformedFrame, number: number)
        }
        switch frame.head.kind {
        case .request: return try receiveRequest(frame)
        case .response, .error: return try receiveReply(frame)
        case .acknowledgeRequest: receiveAcknowledgement(.request(number), frame.payload)
        case .acknowledgeResponse: receiveAcknowledgement(.reply(to: number), frame.payload)
        // BLIP 2 has no checksum that it could upset.
        case nil: return [.ignored(frame.head)]
        }
        return []
    }

    private mutating func receiveRequest(
        _ frame: BLIPFrameDecoder.Frame
    ) throws(BLIPFault) -> [BLIPEvent] {
        let number = frame.head.number
        let id = BLIPMessageID.request(number)
        if incoming[id] == nil {
            let (next, overflow) = lastReceived.addingReportingOverflow(1)
            guard number == next, !overflow else { throw BLIPFault(.wrongNumber, number: number) }
            guard incoming.count < limits.incomingMax else {
                throw BLIPFault(.tooMuch, number: number)
            }
            lastReceived = number
            if !frame.head.flags.contains(.noReply) {
                unreplied[number] = frame.head.flags.contains(.urgent)
            }
        }
        let events = take(frame, id)
        if incoming[id] == nil {
            if case .failed(_, let failure)? = events.last {
                fail(number, failure)
            } else if let reply = early.removeValue(forKey: number) {
                send(reply, to: number)
            }
        } else if case .failed(_, let failure)? = events.last {
            fail(number, failure)
        }
        return events
    }

    /// Tells the sender of a bad request so, once it has sent it whole.
    private mutating func fail(_ number: UInt64, _ failure: BLIPMessageFailure) {
        let reason = failure == .tooLong ? "the message is too long" : "the message is malformed"
        reply(to: number, .error("BLIP", 400, reason))
    }

    private mutating func receiveReply(
        _ frame: BLIPFrameDecoder.Frame
    ) throws(BLIPFault) -> [BLIPEvent] {
        let number = frame.head.number
        let id = BLIPMessageID.reply(to: number)
        if incoming[id] == nil {
            guard number >= 1, number <= lastSent else {
                throw BLIPFault(.replyToNothing, number: number)
            }
            guard unanswered.remove(number) != nil else { return [.ignored(frame.head)] }
        }
        return take(frame, id)
    }

    private mutating func take(
        _ frame: BLIPFrameDecoder.Frame, _ id: BLIPMessageID
    ) -> [BLIPEvent] {
        var message =
            incoming.removeValue(forKey: id) ?? IncomingMessage(id, frame.head, version, limits)
        let events = message.take(frame)
        if frame.head.flags.contains(.moreComing) {
            incoming[id] = message
            // Nobody uses the rest, and its sender is not to wait for that for ever.
            if message.hasFailed { noteUsed(id) }
        }
        return events
    }

    private mutating func receiveAcknowledgement(_ id: BLIPMessageID, _ payload: [UInt8]) {
        // One that says nothing, or is of a message that is gone, is of no use and does no harm.
        guard let (count, _) = Varint.read(payload.span) else { return }
        queue.acknowledge(id, count, windowSize: limits.windowSize)
    }

    /// What has come of a message so far has been used: the other end may send more of it.
    ///
    /// Until that is said of it, a message comes no further than the other end's window.
    package mutating func noteUsed(_ id: BLIPMessageID) {
        guard let count = incoming[id]?.acknowledgement() else { return }
        let kind: BLIPFrameHead.Kind = id.isReply ? .acknowledgeResponse : .acknowledgeRequest
        let head = BLIPFrameHead(kind, number: id.number, flags: [.urgent, .noReply])
        acknowledgements.append((head, count))
    }

    // MARK: Sending

    /// Messages that are not sent whole.
    package var sendingCount: Int { queue.count }

    /// Whether ``nextFrame()`` has something to give.
    package var hasFrames: Bool { !queue.isEmpty || !acknowledgements.isEmpty }

    /// Queues a request; answers its number.
    package mutating func send(_ request: BLIPOutgoing) -> UInt64 {
        lastSent += 1
        if !request.head.wantsNoReply { unanswered.insert(lastSent) }
        queue.insert(OutgoingMessage(.request(lastSent), request, version))
        return lastSent
    }

    /// Queues the reply to a request; false when none is wanted, or another was given before.
    @discardableResult
    package mutating func reply(to number: UInt64, _ reply: BLIPOutgoing) -> Bool {
        guard unreplied[number] != nil, early[number] == nil else { return false }
        // Some peers end the connection for a reply to what they have not sent whole.
        if incoming[.request(number)] != nil {
            early[number] = reply
        } else {
            send(reply, to: number)
        }
        return true
    }

    private mutating func send(_ reply: BLIPOutgoing, to number: UInt64) {
        guard let isUrgent = unreplied.removeValue(forKey: number) else { return }
        var reply = reply
        if isUrgent { reply.head.isUrgent = true }
        queue.insert(OutgoingMessage(.reply(to: number), reply, version))
    }

    /// The next frame to be sent, and the message that is sent whole with it; `nil`: nothing is
    /// to be sent now.
    package mutating func nextFrame() throws(BLIPFault) -> (
        bytes: [UInt8], finished: BLIPMessageID?
    )? {
        if !acknowledgements.isEmpty {
            let (head, count) = acknowledgements.removeFirst()
            var payload: [UInt8] = []
            Varint.append(count, to: &payload)
            return (try encoder.encode(head, payload.span).bytes, nil)
        }
        guard var message = queue.popFirst() else { return nil }
        let isCrowded = queue.isNextUrgent && !message.isUrgent
        let size = isCrowded ? limits.crowdedFrameSize : limits.frameSize
        let (head, range) = message.nextFrame(
            payloadMax: size - BLIPFrameEncoder.overheadMax)
        var frame: (bytes: [UInt8], wireCount: Int) = ([], 0)
        try message.withBytes { bytes throws(BLIPFault) in
            frame = try encoder.encode(head, bytes.extracting(range))
        }
        let isLast = message.noteSent(upTo: range.upperBound, wireCount: frame.wireCount)
        if isLast { return (frame.bytes, message.id) }
        if message.isPaused(windowSize: limits.windowSize) {
            queue.pause(message)
        } else {
            queue.insert(message)
        }
        return (frame.bytes, nil)
    }

    // MARK: Ending

    /// The connection has ended: what has failed with it, in the order of the numbers.
    package mutating func end() -> [BLIPEvent] {
        let replies = unanswered.map { BLIPMessageID.reply(to: $0) }
        let failed = (replies + incoming.keys).sorted {
            ($0.number, $0.isReply ? 1 : 0) < ($1.number, $1.isReply ? 1 : 0)
        }
        incoming = [:]
        unanswered = []
        unreplied = [:]
        early = [:]
        queue.removeAll()
        acknowledgements = []
        return failed.map { .failed($0, .disconnected) }
    }
}
