/// How long to wait before something is tried again: longer each time, up to a bound.
package struct RetryPace: Sendable {
    private let first: UInt64
    private let max: UInt64
    private var next: UInt64

    /// Both in nanoseconds.
    package init(first: UInt64 = 1_000_000_000, max: UInt64 = 60_000_000_000) {
        self.first = first
        self.max = max
        next = first
    }

    /// The pause before the next try, in nanoseconds.
    package mutating func pause() -> UInt64 {
        defer { next = min(next &* 2, max) }
        return next
    }

    /// It has worked: the next failure begins anew.
    package mutating func reset() { next = first }
}
