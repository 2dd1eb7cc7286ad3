import WharfHTTPClient
import WharfNet

/// Counts failures in a row, and waits longer after each.
struct Retry {
    private let options: UploadClient.Options
    private var failureCount = 0
    /// All failures so far.
    private(set) var count = 0

    init(_ options: UploadClient.Options) {
        self.options = options
    }

    /// The server has got more: the next failure is the first in a row.
    mutating func noteProgress() { failureCount = 0 }

    /// Waits before the next try; throws the error when there is none.
    ///
    /// `wanted` is how long the server wants to be left alone, which is heeded up to five minutes.
    mutating func wait(
        after error: UploadError, on client: HTTPClient, wanted: Duration? = nil
    ) async throws {
        failureCount += 1
        count += 1
        guard failureCount < options.failureMax else { throw error }
        let full = Self.delay(failureCount, options)
        let delay = full * (0.5 + Double.random(in: 0..<0.5))
        try await client.pause(for: max(delay, min(wanted ?? .zero, .seconds(300))))
    }

    /// The wait after the n-th failure in a row, before chance has its part.
    static func delay(_ number: Int, _ options: UploadClient.Options) -> Duration {
        var delay = options.firstDelay
        for _ in 1..<max(number, 1) where delay < options.delayMax { delay *= 2 }
        return min(delay, options.delayMax)
    }
}
