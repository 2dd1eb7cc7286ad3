import WharfHTTP
import WharfNet

/// Lets two requests hash passwords at a time, so that a crowd of them leaves cores to others.
final class HashingGate: Sendable {
    private struct State {
        var insideCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The whole process's.
    static let shared = HashingGate()

    static let insideMax = 2
    /// Requests that may wait; more are answered 503.
    static let waiterMax = 32

    private let state = Locked(State())

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Runs the closure when its turn comes.
    ///
    /// Throws what it throws, and 503 when too many wait.
    func run<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        // Who has left meanwhile need not be hashed for.
        try Task.checkCancellation()
        return try await body()
    }

    private func enter() async throws {
        let isFull = state.withLock {
            $0.insideCount >= Self.insideMax && $0.waiters.count >= Self.waiterMax
        }
        guard !isFull else {
            throw HTTPError(
                .serviceUnavailable, reason: "too many passwords are being checked",
                fields: [.retryAfter: "1"])
        }
        await withCheckedContinuation { continuation in
            let isInside = state.withLock { state in
                guard state.insideCount >= Self.insideMax else {
                    state.insideCount += 1
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isInside { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiters.isEmpty else {
                state.insideCount -= 1
                return nil
            }
            // The place goes on to whoever has waited longest.
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
