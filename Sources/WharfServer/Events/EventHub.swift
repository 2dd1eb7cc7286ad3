import Synchronization
import WharfNet

/// Hands events to whoever listens; costs one atomic load while nobody does.
final class EventHub: Sendable {
    private typealias Continuation = AsyncStream<HTTPServer.Event>.Continuation

    private let listenerCount = Atomic<Int>(0)
    private struct State {
        var listeners: [UInt64: Continuation] = [:]
        var hasFinished = false
    }

    private let state = Locked(State())
    private let lastID = Atomic<UInt64>(0)

    var hasListeners: Bool { listenerCount.load(ordering: .relaxed) > 0 }

    /// Starts to listen.
    ///
    /// A listener that falls behind loses the oldest events beyond 1,024.
    func listen() -> AsyncStream<HTTPServer.Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: HTTPServer.Event.self, bufferingPolicy: .bufferingNewest(1024))
        let id = lastID.add(1, ordering: .relaxed).newValue
        let isOver = state.withLock { state in
            if !state.hasFinished { state.listeners[id] = continuation }
            return state.hasFinished
        }
        guard !isOver else {
            continuation.finish()
            return stream
        }
        listenerCount.add(1, ordering: .relaxed)
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    func send(_ event: HTTPServer.Event) {
        guard hasListeners else { return }
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.hasFinished = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    private func remove(_ id: UInt64) {
        guard state.withLock({ $0.listeners.removeValue(forKey: id) }) != nil else { return }
        listenerCount.subtract(1, ordering: .relaxed)
    }
}
