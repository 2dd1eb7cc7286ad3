import WharfNet

/// An app's system that a test plays: it gives time, or refuses, and takes notes.
final class SimulatedApp: AppLifecycle {
    private struct State {
        var isInBackground = false
        var hasTime = false
        var refusesTime = false
        var mistake: String?
    }

    private let state = Locked(State())
    private let stream: AsyncStream<AppEvent>
    private let continuation: AsyncStream<AppEvent>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func events() -> AsyncStream<AppEvent> { stream }

    func beginBackgroundTime() async -> Bool {
        state.withLock { state in
            if state.hasTime { state.mistake = "time was asked for twice" }
            state.hasTime = !state.refusesTime
            return state.hasTime
        }
    }

    func endBackgroundTime() async {
        state.withLock { state in
            if !state.hasTime { state.mistake = "time was given back twice" }
            state.hasTime = false
        }
    }

    // MARK: The test's side

    /// Something happens to the app.
    func send(_ event: AppEvent) {
        switch event {
        case .enteredBackground: state.withLock { $0.isInBackground = true }
        case .enteringForeground: state.withLock { $0.isInBackground = false }
        case .backgroundTimeIsUp: break
        }
        continuation.yield(event)
    }

    /// From now on there is no time to be had, or there is.
    func refuseTime(_ refuses: Bool) { state.withLock { $0.refusesTime = refuses } }

    var isInBackground: Bool { state.withLock { $0.isInBackground } }
    var hasTime: Bool { state.withLock { $0.hasTime } }
    var mistake: String? { state.withLock { $0.mistake } }
    /// The system stops the program now.
    var isSuspended: Bool { state.withLock { $0.isInBackground && !$0.hasTime } }
}
