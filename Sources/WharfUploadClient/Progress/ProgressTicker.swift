import WharfHTTPClient
import WharfNet

/// Tells ten times a second how far an upload has come.
final class ProgressTicker: Sendable {
    private struct State {
        var total: Int64 = 0
        /// Bytes that the server had before the present request.
        var base: Int64 = 0
        var meter = SpeedMeter()
        var counter = BodyProgress()
        var told: UploadProgress?
    }

    private let state = Locked(State())
    private let client: HTTPClient
    private let tell: (@Sendable (UploadProgress) -> Void)?

    static let interval = Duration.milliseconds(100)

    init(_ client: HTTPClient, _ tell: (@Sendable (UploadProgress) -> Void)?) {
        self.client = client
        self.tell = tell
    }

    /// Says how much there is to send in all.
    func setTotal(_ total: Int64) { state.withLock { $0.total = total } }

    /// Begins to count a request whose body starts at `base` in the whole.
    func begin(at base: Int64) -> BodyProgress {
        let counter = BodyProgress()
        state.withLock {
            $0.base = base
            $0.counter = counter
        }
        return counter
    }

    /// Bytes of the present request's body that have left.
    var sentCount: Int64 { state.withLock { $0.counter.byteCount } }

    /// Tells until the task is cancelled.
    func run() async {
        guard tell != nil else { return }
        while !Task.isCancelled {
            look()
            guard (try? await client.pause(for: Self.interval)) != nil else { return }
        }
    }

    /// Tells how it is now, if that is something new.
    func look() {
        guard let tell else { return }
        let now = client.now
        let progress = state.withLock { state -> UploadProgress? in
            let sent = min(state.base + state.counter.byteCount, state.total)
            state.meter.take(sent, at: now)
            let progress = UploadProgress(
                sentCount: sent, totalCount: state.total,
                bytesPerSecond: state.meter.bytesPerSecond,
                timeLeft: state.meter.time(for: state.total - sent))
            guard progress != state.told else { return nil }
            state.told = progress
            return progress
        }
        if let progress { tell(progress) }
    }
}
