import WharfNet

/// Tells of the first connection and, some time after it, of the last one's end.
///
/// A browser closes its connections and soon opens others: that is no going away.
final class ConnectedState: Sendable {
    private struct State {
        var isConnected = false
        /// Since when there is no connection, in nanoseconds.
        var quietSince: UInt64?
        var isEnding = false
        var change: AsyncStream<Bool>.Continuation?
    }

    private let delay: UInt64
    private let events: EventHub
    private let connections: ConnectionCounter
    private let state = Locked(State())
    private let wakes: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation

    init(delay: UInt64, _ events: EventHub, _ connections: ConnectionCounter) {
        self.delay = delay
        self.events = events
        self.connections = connections
        (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether there are connections, each time that it changes; only the latest is kept.
    ///
    /// It is for one listener.
    func changes() -> AsyncStream<Bool> {
        let (stream, change) = AsyncStream.makeStream(
            of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.change = change }
        return stream
    }

    /// The first connection was opened.
    func noteConnection() {
        state.withLock { state in
            state.quietSince = nil
            guard !state.isConnected else { return }
            state.isConnected = true
            state.change?.yield(true)
            events.send(.connected)
        }
    }

    /// The last connection has ended, unless another has been opened meanwhile.
    func noteQuiet(at now: UInt64) {
        let mustWait = state.withLock { state in
            state.quietSince = now
            guard delay > 0, !state.isEnding else {
                tell(&state)
                return false
            }
            return true
        }
        if mustWait { waking.yield() }
    }

    /// The server is stopping: nobody comes back.
    func noteEnding() {
        state.withLock { state in
            state.isEnding = true
            if state.quietSince != nil { tell(&state) }
        }
    }

    /// Tells of what has waited long enough, until the task is cancelled.
    func watch(on loop: EventLoop) async {
        guard delay > 0 else { return }
        for await _ in wakes {
            guard let since = state.withLock({ $0.quietSince }) else { continue }
            guard (try? await loop.sleep(until: since &+ delay)) != nil else { return }
            state.withLock { state in
                if state.quietSince == since { tell(&state) }
            }
        }
    }

    private func tell(_ state: inout State) {
        guard state.isConnected, connections.count == 0 else { return }
        state.isConnected = false
        state.quietSince = nil
        state.change?.yield(false)
        events.send(.disconnected)
    }
}
