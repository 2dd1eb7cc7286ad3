import WharfNet

/// Lets one log line through in a while, so that a crowd does not fill the log.
final class LogLimit: Sendable {
    private struct State {
        var nextTime: UInt64 = 0
        var heldBackCount = 0
    }

    private let interval: UInt64
    private let state = Locked(State())

    init(seconds: UInt64) {
        interval = seconds * 1_000_000_000
    }

    /// How many lines were held back since the last, or `nil` if this one is to be as well.
    func pass(at now: UInt64) -> Int? {
        state.withLock { state in
            guard now >= state.nextTime else {
                state.heldBackCount += 1
                return nil
            }
            defer { state = State(nextTime: now &+ interval) }
            return state.heldBackCount
        }
    }
}
