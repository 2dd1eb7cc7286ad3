/// How code gets onto a loop, and waits there.
extension EventLoop {
    /// Runs the operation on the loop: in place when already there, else by an explicit hop.
    ///
    /// The one way for a public operation to touch a connection. What goes in and comes out is
    /// Sendable; the caller may be any actor, task or thread. Throws what the operation throws.
    //
    // `@concurrent` matters: `withTaskExecutorPreference` returns on the executor that it went to,
    // and only after a concurrent function does the caller go back to its own.
    @concurrent
    package func confine<Value: Sendable>(
        _ operation: @concurrent @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        if isCurrent, isPreferredByTask { return try await operation() }
        return try await withTaskExecutorPreference(self) {
            await arrive()
            return try await operation()
        }
    }

    /// Brings the task onto the loop.
    //
    // An async function whose first act is to call another one is not moved to its executor by
    // Swift 6.3: the callee is expected to see to that, and a nonsending one does not. Code that
    // does something of its own is moved.
    @concurrent @inline(never)
    private func arrive() async {
        let isThere = isCurrent
        assert(isThere, "the task did not get onto its loop")
    }

    /// Whether the present task comes back here when it is resumed.
    ///
    /// A task without that preference can be on the loop's thread too: an actor that it shares with
    /// one of the loop's tasks is drained there.
    private var isPreferredByTask: Bool {
        unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }

    /// Lets the loop's other tasks, and what the poller has seen, run before this one goes on.
    package func yield() async {
        // Resumed at once the task would not even be suspended.
        unsafe await withUnsafeContinuation { unsafe putOff($0) }
    }

    /// Waits until a time in nanoseconds of the system's clock.
    ///
    /// Throws when the task is cancelled.
    package func sleep(until deadline: UInt64) async throws(CancellationError) {
        let alarm = Alarm(loop: self)
        let hasRung = await withTaskCancellationHandler {
            await alarm.wait(until: deadline)
        } onCancel: {
            self.interrupt(alarm)
        }
        guard hasRung else { throw CancellationError() }
    }
}

/// One sleeping task.
@safe private final class Alarm: TimedEntry, @unchecked Sendable {
    // @unchecked: used on its loop only; `interrupt(_:)` of the loop brings it there.
    private let loop: EventLoop
    private var deadline: UInt64 = 0
    private var waiter: UnsafeContinuation<Bool, Never>?
    private var isInterrupted = false

    init(loop: EventLoop) {
        self.loop = loop
        super.init()
    }

    func wait(until deadline: UInt64) async -> Bool {
        if isInterrupted { return false }
        self.deadline = deadline
        loop.wheel.arm(self, by: deadline)
        defer { loop.wheel.remove(self) }
        return unsafe await withUnsafeContinuation { continuation in
            unsafe waiter = continuation
        }
    }

    override func fire(at now: UInt64) -> UInt64? {
        guard now >= deadline else { return deadline }
        end(true)
        return nil
    }

    override func interrupt() {
        isInterrupted = true
        end(false)
    }

    private func end(_ hasRung: Bool) {
        guard let waiting = unsafe waiter else { return }
        unsafe waiter = nil
        unsafe waiting.resume(returning: hasRung)
    }
}
