/// How slow a peer may be in the middle of a message, measured over the time that it is waited for.
package final class PaceLimit: Sendable {
    /// Bytes a second that have to move, either way.
    package let bytesPerSecond: Int
    /// Nanoseconds of waiting over which they are counted; at least 1.
    package let window: UInt64
    private let applies: @Sendable () -> Bool

    /// `applies` is asked at the end of a window that was too slow: whether that matters now.
    package init(
        bytesPerSecond: Int, window: UInt64, applies: @escaping @Sendable () -> Bool
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.window = max(window, 1)
        self.applies = applies
    }

    /// Whether so many bytes are too few for so many nanoseconds.
    fileprivate func isBroken(byteCount: Int, waited: UInt64) -> Bool {
        Double(byteCount) * 1e9 < Double(bytesPerSecond) * Double(waited) && applies()
    }
}

/// What one socket has moved and waited for since its present window began.
struct Pace {
    var limit: PaceLimit?
    private var byteCount = 0
    private var waited: UInt64 = 0

    /// When the window ends if it is waited on from `start`; in nanoseconds, `.max`: never.
    func windowEnd(from start: UInt64) -> UInt64 {
        guard let limit else { return .max }
        return start &+ (limit.window &- waited)
    }

    mutating func noteMoved(_ count: Int) {
        byteCount &+= count
    }

    /// False when a window has ended in which too little was moved.
    mutating func noteWaited(_ time: UInt64) -> Bool {
        guard let limit else { return true }
        waited &+= time
        guard waited >= limit.window else { return true }
        defer { (byteCount, waited) = (0, 0) }
        return !limit.isBroken(byteCount: byteCount, waited: waited)
    }
}
