/// Messages to be sent.
extension BLIPEngine {
    /// Messages that are not sent whole.
    package var sendingCount: Int { queue.count }

    /// Bytes that were not sent.
    package var unsentCount: Int { queue.heldCount }

    /// Whether another request can be numbered: BLIP 1.1 has 32 bits for that.
    package var hasNumbers: Bool { version != .v1 || lastSent < UInt64(UInt32.max) }

    /// Whether something that is under way needs frames of the other end to go on: replies that were
    /// asked for, the rest of what has begun, or word of how much was taken.
    package var needsInput: Bool {
        !unanswered.isEmpty || !incoming.isEmpty
            || queue.hasPaused(windowSize: limits.windowSize)
    }

    /// Queues a request; answers its number.
    ///
    /// One that is not whole grows by ``append(_:to:)``.
    package mutating func send(_ request: BLIPOutgoing, isWhole: Bool = true) -> UInt64 {
        lastSent += 1
        if !request.head.wantsNoReply { unanswered.insert(lastSent) }
        queue.add(OutgoingMessage(.request(lastSent), request, version, isWhole: isWhole))
        return lastSent
    }

    /// Queues the reply to a request; false when none is wanted, or another was given before.
    ///
    /// It waits until the request has come whole.
    @discardableResult
    package mutating func reply(
        to number: UInt64, _ reply: BLIPOutgoing, isWhole: Bool = true
    ) -> Bool {
        guard let isUrgent = unreplied.removeValue(forKey: number) else { return false }
        var reply = reply
        if isUrgent { reply.head.isUrgent = true }
        let message = OutgoingMessage(.reply(to: number), reply, version, isWhole: isWhole)
        // Some peers end the connection for a reply to what they have not sent whole.
        message.isHeld = incoming[.request(number)] != nil
        queue.add(message)
        return true
    }

    /// Has the reply to a request go out that has not come whole.
    ///
    /// For replies that can't grow until something of them is sent.
    package mutating func letGo(_ number: UInt64) {
        queue.change(.reply(to: number), windowSize: limits.windowSize) { $0.isHeld = false }
    }

    /// Tells the sender of a bad request so, once it has sent it whole.
    mutating func reply(to number: UInt64, _ failure: BLIPMessageFailure) {
        let (code, reason): (Int32, String) =
            switch failure {
            case .tooLong: (400, "the message is too long")
            case .noRoom: (503, "too much is under way")
            default: (400, "the message is malformed")
            }
        reply(to: number, .error("BLIP", code, reason))
    }

    // MARK: Messages that grow

    /// Adds to the body of a message that is not whole.
    package mutating func append(_ bytes: [UInt8], to id: BLIPMessageID) {
        queue.change(id, windowSize: limits.windowSize) { $0.append(bytes) }
    }

    /// Nothing more is appended.
    package mutating func finish(_ id: BLIPMessageID) {
        queue.change(id, windowSize: limits.windowSize) { $0.finish() }
    }

    /// Bytes of a message that were not sent.
    package func unsentCount(of id: BLIPMessageID) -> Int { queue[id]?.heldCount ?? 0 }

    // MARK: Giving up

    /// How far a message had come that its sender has given up.
    package enum GivenUp: Sendable, Hashable {
        /// Nothing of it was sent, or nothing is left to be sent: the other end is not misled.
        case harmless
        /// The other end has a part, and would take it for the whole.
        case torn
    }

    /// Gives up a request.
    ///
    /// One that has not begun is replaced by one that asks nothing, as its number has to be used;
    /// one that is whole is sent to its end.
    package mutating func giveUp(request number: UInt64) -> GivenUp {
        guard let message = queue[.request(number)] else { return .harmless }
        guard message.hasBegun else {
            unanswered.remove(number)
            queue.change(message.id, windowSize: limits.windowSize) { $0.hollow() }
            return .harmless
        }
        return message.isWhole ? .harmless : .torn
    }

    /// Makes an error of a reply that is not whole.
    ///
    /// If it has begun it is torn, as no version has a way to say so. With `isMarked` it then ends
    /// as an error all the same, which this package's receivers understand.
    package mutating func giveUp(
        replyTo number: UInt64, _ error: BLIPOutgoing, isMarked: Bool
    ) -> GivenUp {
        let id = BLIPMessageID.reply(to: number)
        guard let message = queue[id], !message.isWhole else { return .harmless }
        guard !message.hasBegun || isMarked else { return .torn }
        queue.change(id, windowSize: limits.windowSize) { $0.fail(error) }
        return .harmless
    }
}
