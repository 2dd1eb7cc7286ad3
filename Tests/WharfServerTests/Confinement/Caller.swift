import Testing

/// Where a program may be when it uses what belongs to a connection.
enum Caller: CaseIterable, Sendable {
    case inPlace, mainActor, task, detached, asyncLet, group, actor, sharedActor

    /// Runs the operation as this caller.
    func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        switch self {
        case .inPlace:
            return try await operation()
        case .mainActor:
            return try await onMainActor(operation)
        case .task:
            return try await Task { try await operation() }.value
        case .detached:
            return try await Task.detached { try await operation() }.value
        case .asyncLet:
            async let value = operation()
            return try await value
        case .group:
            return try await withThrowingTaskGroup { group in
                group.addTask { try await operation() }
                guard let value = try await group.next() else { throw CancellationError() }
                return value
            }
        case .actor:
            return try await Worker().run(operation)
        case .sharedActor:
            // Whoever enters an actor while another is in it may find itself on that one's thread.
            async let other: Void = Worker.shared.work()
            let task = Task.detached { try await Worker.shared.run(operation) }
            for _ in 0..<3 { await Worker.shared.work() }
            await other
            return try await task.value
        }
    }
}

@MainActor
private func onMainActor<Value: Sendable>(
    _ operation: @Sendable () async throws -> Value
) async throws -> Value {
    MainActor.assertIsolated()
    let value = try await operation()
    MainActor.assertIsolated()
    return value
}

/// An actor whose state a data race on its way in or out would touch.
private actor Worker {
    static let shared = Worker()

    private var count = 0

    func run<Value: Sendable>(
        _ operation: @Sendable () async throws -> Value
    ) async throws -> Value {
        count += 1
        let value = try await operation()
        count += 1
        return value
    }

    func work() {
        for _ in 0..<2000 { count &+= 1 }
    }
}
