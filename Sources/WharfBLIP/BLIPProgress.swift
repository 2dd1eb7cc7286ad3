/// How far a request and its reply have come.
public struct BLIPProgress: Sendable, Hashable {
    /// Is told, on the connection's loop: it must not block.
    public typealias Observer = @Sendable (BLIPProgress) -> Void

    /// Bytes of the request's body that were sent, before BLIP compressed them (BLIP 2: after that).
    public internal(set) var sentCount = 0
    /// Bytes that it has in all; `nil`: it is written while it is sent.
    public internal(set) var sentTotal: Int?
    /// Whether it was sent whole.
    public internal(set) var isSent = false
    /// Bytes of the reply's body that came so far.
    public internal(set) var receivedCount = 0
}

/// Whom to tell, and what.
struct ProgressTally: Sendable {
    var state = BLIPProgress()
    let observer: BLIPProgress.Observer
    /// Whether no reply will come.
    let endsWhenSent: Bool
    /// Bytes of the properties that were not sent: they are no part of the body.
    private var headCount: Int

    init(
        _ observer: @escaping BLIPProgress.Observer, total: Int?, headCount: Int, endsWhenSent: Bool
    ) {
        self.observer = observer
        self.headCount = headCount
        self.endsWhenSent = endsWhenSent
        state.sentTotal = total
    }

    mutating func noteSent(_ count: Int, isLast: Bool) {
        let ofHead = min(count, headCount)
        headCount -= ofHead
        state.sentCount += count - ofHead
        state.isSent = isLast
    }

    func tell() { observer(state) }
}
