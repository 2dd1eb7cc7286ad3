/// One end of a BLIP connection, without the connection: frames in and out, messages out and in.
///
/// It takes frames in the order in which they come, and gives out the frames to be sent. It keeps the
/// numbers, takes turns between messages, and holds back those whose receiver does not keep up.
/// Bodies come and go piece by piece. What each kind of wrong frame comes to is in
/// docs/blip-errors.md.
package struct BLIPEngine: ~Copyable {
    package let version: BLIPVersion
    let limits: BLIPLimits
    private var decoder: BLIPFrameDecoder
    private var encoder: BLIPFrameEncoder

    var incoming: [BLIPMessageID: IncomingMessage] = [:]
    /// The number of the other end's newest request.
    private var lastReceived: UInt64 = 0
    /// Requests of the other end that were not replied to: whether replies have to be urgent.
    var unreplied: [UInt64: Bool] = [:]
    /// Bytes of bodies that were given out and not used, and of messages that have not begun.
    var incomingCount = 0

    /// The number of our newest request.
    var lastSent: UInt64 = 0
    /// Our requests that were not replied to.
    var unanswered: Set<UInt64> = []
    var queue = SendQueue()
    var acknowledgements: [(BLIPFrameHead, UInt64)] = []

    /// An engine; `level` is how hard it compresses, from 0 (never) to 9.
    package init(_ version: BLIPVersion, limits: BLIPLimits = BLIPLimits(), level: Int = 6) {
        self.version = version
        self.limits = limits
        decoder = BLIPFrameDecoder(version, frameMax: limits.frameMax)
        encoder = BLIPFrameEncoder(version, level: level)
    }

    /// Bytes that are held for what comes and for what was not sent.
    package var heldCount: Int { queue.heldCount + incomingCount }

    /// Whether nothing is under way: no message either way, and no reply that somebody waits for.
    package var isIdle: Bool {
        queue.count == 0 && unanswered.isEmpty && unreplied.isEmpty && incoming.isEmpty
            && acknowledgements.isEmpty
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
        // BLIP 1.1 and 2 have no checksum that it could upset.
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
            // BLIP 1.1 §3.7: a frame of a request that is complete is ignored; later versions count
            // what comes, or sum it up, and can't leave out a frame.
            if version == .v1, number >= 1, number <= lastReceived { return [.ignored(frame.head)] }
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
        if case .failed(_, let failure)? = events.last { reply(to: number, failure) }
        if incoming[id] == nil { letGo(number) }
        return events
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
            guard unanswered.contains(number) else { return [.ignored(frame.head)] }
            guard incoming.count < limits.incomingMax else {
                throw BLIPFault(.tooMuch, number: number)
            }
            unanswered.remove(number)
        }
        return take(frame, id)
    }

    private mutating func take(
        _ frame: BLIPFrameDecoder.Frame, _ id: BLIPMessageID
    ) -> [BLIPEvent] {
        var message =
            incoming.removeValue(forKey: id) ?? IncomingMessage(id, frame.head, version, limits)
        incomingCount -= message.beginningCount
        let events = message.take(frame, room: limits.heldMax - heldCount)
        incomingCount += message.beginningCount
        for case .body(_, let bytes) in events { incomingCount += bytes.count }
        if frame.head.flags.contains(.moreComing) {
            incoming[id] = message
            // Nobody uses the rest, and its sender is not to wait for that for ever.
            if message.hasFailed { acknowledge(id) }
        }
        return events
    }

    private mutating func receiveAcknowledgement(_ id: BLIPMessageID, _ payload: [UInt8]) {
        // One that says nothing, or is of a message that is gone, is of no use and does no harm.
        guard let (count, _) = Varint.read(payload.span) else { return }
        queue.change(id, windowSize: limits.windowSize) { $0.acknowledge(count) }
    }

    // MARK: Using what has come

    /// The body of a message that comes is used piece by piece, and may be longer than a whole one.
    package mutating func noteStreamed(_ id: BLIPMessageID) {
        incoming[id]?.bodyMax = limits.streamedBodyMax
    }

    /// All that has come of a message was taken, whether or not it is used yet: more may come.
    ///
    /// Until that is said of it, a message comes no further than the other end's window.
    package mutating func acknowledge(_ id: BLIPMessageID) {
        acknowledge(id, incoming[id]?.acknowledgement(isAll: true))
    }

    /// So many bytes of a message's body have been used: as many more may come.
    package mutating func noteUsed(_ id: BLIPMessageID, _ count: Int) {
        release(count)
        incoming[id]?.noteUsed(count)
        acknowledge(id, incoming[id]?.acknowledgement(isAll: false))
    }

    /// So many bytes that were given out are not held any more.
    package mutating func release(_ count: Int) { incomingCount -= min(count, incomingCount) }

    private mutating func acknowledge(_ id: BLIPMessageID, _ count: UInt64?) {
        guard let count else { return }
        let kind: BLIPFrameHead.Kind = id.isReply ? .acknowledgeResponse : .acknowledgeRequest
        let head = BLIPFrameHead(kind, number: id.number, flags: [.urgent, .noReply])
        acknowledgements.append((head, count))
    }

    // MARK: Frames to be sent

    /// A frame, and what it is of.
    package struct Sent: Sendable {
        /// The frame.
        package var bytes: [UInt8]
        /// The message that it is of; `nil` for an acknowledgement.
        package var id: BLIPMessageID?
        /// Bytes of the message in it, before they were compressed by BLIP 3.
        package var count = 0
        /// Whether it is the message's last.
        package var isLast = false
    }

    /// Whether ``nextFrame()`` has something to give.
    package var hasFrames: Bool { !queue.isEmpty || !acknowledgements.isEmpty }

    /// The next frame to be sent; `nil`: nothing is to be sent now.
    package mutating func nextFrame() throws(BLIPFault) -> Sent? {
        if !acknowledgements.isEmpty {
            let (head, count) = acknowledgements.removeFirst()
            var payload: [UInt8] = []
            Varint.append(count, to: &payload)
            return Sent(bytes: try encoder.encode(head, payload.span).bytes)
        }
        guard let message = queue.popFirst() else { return nil }
        let isCrowded = queue.isNextUrgent && !message.isUrgent
        var size = isCrowded ? limits.crowdedFrameSize : limits.frameSize
        if version == .v1 { size = min(size, BLIP1Head.frameMax) }
        let (head, range) = message.nextFrame(
            payloadMax: size - BLIPFrameEncoder.overheadMax)
        let bytes = message.bytes
        let frame = try encoder.encode(head, bytes.span.extracting(range))
        message.noteSent(upTo: range.upperBound, wireCount: frame.wireCount)
        queue.putBack(message, windowSize: limits.windowSize)
        return Sent(
            bytes: frame.bytes, id: message.id, count: range.count, isLast: message.isSent)
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
        incomingCount = 0
        queue.removeAll()
        acknowledgements = []
        return failed.map { .failed($0, .disconnected) }
    }
}
