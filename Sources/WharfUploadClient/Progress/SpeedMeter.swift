/// The speed of something, of counts at times; it forgets with a half-life of two seconds.
struct SpeedMeter: Sendable {
    private var lastCount: Int64?
    private var lastTime: UInt64 = 0
    private(set) var bytesPerSecond = 0.0
    private var weight = 0.0

    /// Seconds.
    private static let halfLife = 2.0

    /// Takes a count at a time in nanoseconds; one that has gone back begins anew.
    mutating func take(_ count: Int64, at time: UInt64) {
        defer {
            lastCount = count
            lastTime = time
        }
        guard let lastCount, time > lastTime, count >= lastCount else { return }
        let seconds = Double(time - lastTime) / 1e9
        let kept = Self.power(seconds)
        // Weighed, so that the first seconds are no lie.
        let sum = bytesPerSecond * weight * kept + Double(count - lastCount) / seconds * (1 - kept)
        weight = weight * kept + (1 - kept)
        bytesPerSecond = weight > 0 ? sum / weight : 0
    }

    /// How much of the old counts after some seconds: 2 to the power of minus the half-lives.
    private static func power(_ seconds: Double) -> Double {
        // exp(-x ln 2) without a library: halvings, and a line in between is near enough.
        var rest = min(seconds / halfLife, 60)
        var factor = 1.0
        while rest >= 1 {
            factor /= 2
            rest -= 1
        }
        return factor * (1 - rest / 2)
    }

    /// How long so many bytes take at this speed; `nil` for ever.
    func time(for count: Int64) -> Duration? {
        guard bytesPerSecond >= 1, count >= 0 else { return count == 0 ? .zero : nil }
        let seconds = min(Double(count) / bytesPerSecond, 1e9)
        return .milliseconds(Int64(seconds * 1000))
    }
}
