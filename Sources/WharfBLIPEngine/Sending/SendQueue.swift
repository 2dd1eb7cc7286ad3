/// The messages that take turns in being sent, one frame a turn.
///
/// An urgent one is put behind the last urgent one and then behind one more, so that others go on, too;
/// but its first frame never overtakes another message's: numbers are to begin in their order.
struct SendQueue {
    private var messages: [OutgoingMessage] = []
    /// Those that wait until the other end has taken more.
    private var paused: [BLIPMessageID: OutgoingMessage] = [:]

    var isEmpty: Bool { messages.isEmpty }

    /// Messages that are not sent whole.
    var count: Int { messages.count + paused.count }

    /// Whether the next one is urgent.
    var isNextUrgent: Bool { messages.first?.isUrgent ?? false }

    mutating func insert(_ message: OutgoingMessage) {
        guard message.isUrgent, messages.count > 1 else { return messages.append(message) }
        var index = messages.lastIndex { $0.isUrgent }.map { $0 + 2 } ?? 1
        if !message.hasBegun, let last = messages.lastIndex(where: { !$0.hasBegun }) {
            index = max(index, last + 1)
        }
        messages.insert(message, at: min(index, messages.count))
    }

    mutating func popFirst() -> OutgoingMessage? {
        messages.isEmpty ? nil : messages.removeFirst()
    }

    mutating func pause(_ message: OutgoingMessage) {
        paused[message.id] = message
    }

    /// The other end has taken so much of a message.
    mutating func acknowledge(_ id: BLIPMessageID, _ count: UInt64, windowSize: Int) {
        if var message = paused[id] {
            message.acknowledge(count)
            paused[id] = message
            guard !message.isPaused(windowSize: windowSize) else { return }
            paused[id] = nil
            insert(message)
        } else if let index = messages.firstIndex(where: { $0.id == id }) {
            messages[index].acknowledge(count)
        }
    }

    mutating func removeAll() {
        messages = []
        paused = [:]
    }
}
