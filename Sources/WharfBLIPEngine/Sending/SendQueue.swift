/// The messages that take turns in being sent, one frame a turn.
///
/// An urgent one is put behind the last urgent one and then behind one more, so that others go on, too;
/// but its first frame never overtakes another message's: numbers are to begin in their order.
struct SendQueue {
    private var messages: [OutgoingMessage] = []
    /// All that are not sent whole: those in the queue, and those that wait for something.
    private var unsent: [BLIPMessageID: OutgoingMessage] = [:]
    private var urgentCount = 0
    /// Bytes of them that were not sent.
    private(set) var heldCount = 0

    var isEmpty: Bool { messages.isEmpty }

    /// Messages that are not sent whole.
    var count: Int { unsent.count }

    /// Whether some wait for the other end to take something.
    func hasPaused(windowSize: Int) -> Bool {
        unsent.count > messages.count
            && unsent.values.contains {
                !$0.isQueued && $0.obstacle(windowSize: windowSize) == .paused
            }
    }

    /// Whether the next one is urgent.
    var isNextUrgent: Bool { messages.first?.isUrgent ?? false }

    subscript(id: BLIPMessageID) -> OutgoingMessage? { unsent[id] }

    /// Takes in a new message.
    mutating func add(_ message: OutgoingMessage) {
        unsent[message.id] = message
        heldCount += message.heldCount
        if !message.isHeld { insert(message) }
    }

    /// Lets a closure change a message, and queues it if it waited for that.
    mutating func change(
        _ id: BLIPMessageID, windowSize: Int, _ body: (OutgoingMessage) -> Void
    ) {
        guard let message = unsent[id] else { return }
        heldCount -= message.heldCount
        body(message)
        heldCount += message.heldCount
        if !message.isQueued, message.obstacle(windowSize: windowSize) == nil { insert(message) }
    }

    private mutating func insert(_ message: OutgoingMessage) {
        message.isQueued = true
        if message.isUrgent { urgentCount += 1 }
        guard message.isUrgent, messages.count > 1 else { return messages.append(message) }
        var index = 1
        if urgentCount > 1, let last = messages.lastIndex(where: \.isUrgent) { index = last + 2 }
        if !message.hasBegun, let last = messages.lastIndex(where: { !$0.hasBegun }) {
            index = max(index, last + 1)
        }
        messages.insert(message, at: min(index, messages.count))
    }

    /// Takes out the message whose turn it is; it comes back by ``putBack(_:windowSize:)``.
    mutating func popFirst() -> OutgoingMessage? {
        guard !messages.isEmpty else { return nil }
        let message = messages.removeFirst()
        message.isQueued = false
        if message.isUrgent { urgentCount -= 1 }
        heldCount -= message.heldCount
        return message
    }

    /// Takes back a message of which a frame has been sent.
    mutating func putBack(_ message: OutgoingMessage, windowSize: Int) {
        guard !message.isSent else {
            unsent[message.id] = nil
            return
        }
        heldCount += message.heldCount
        if message.obstacle(windowSize: windowSize) == nil { insert(message) }
    }

    mutating func removeAll() {
        self = SendQueue()
    }
}
