import WharfNet

/// How many bytes of a body have left; one task counts, any may look.
///
/// A body that is sent again, after a redirect or a login, is counted from its start again.
public final class BodyProgress: Sendable {
    private let count = Locked<Int64>(0)

    /// Nothing sent yet.
    public init() {}

    /// Bytes that the system has taken to send.
    public var byteCount: Int64 { count.withLock { $0 } }

    func add(_ more: Int64) {
        count.withLock { $0 += more }
    }

    func restart() {
        count.withLock { $0 = 0 }
    }
}
