/// Where tasks of one loop wait for something to change.
///
/// Being let through says only that: whoever waited looks again. It is confined to its loop.
package final class LoopGate: @unchecked Sendable {
    // @unchecked: used on the loop's thread only.

    private let loop: EventLoop
    private var waiters: [Waiter] = []

    package init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Waits until the gate is opened.
    ///
    /// Throws when the task is cancelled.
    package func wait() async throws(CancellationError) {
        let waiter = Waiter()
        waiters.append(waiter)
        let wasLet = await withTaskCancellationHandler {
            await waiter.wait()
        } onCancel: {
            loop.interrupt(waiter)
        }
        guard wasLet else {
            waiters.removeAll { $0 === waiter }
            throw CancellationError()
        }
    }

    /// Waits until the gate is opened, whatever becomes of the task.
    package func waitUncancelled() async {
        let waiter = Waiter()
        waiters.append(waiter)
        _ = await waiter.wait()
    }

    /// Lets all through who wait now.
    package func open() {
        guard !waiters.isEmpty else { return }
        let present = waiters
        waiters.removeAll()
        for waiter in present { waiter.end(true) }
    }

    @safe private final class Waiter: TimedEntry, @unchecked Sendable {
        // @unchecked: as above; `EventLoop.interrupt` brings it to its loop.
        private var outcome: Bool?
        private var continuation: UnsafeContinuation<Bool, Never>?

        func wait() async -> Bool {
            if let outcome { return outcome }
            return unsafe await withUnsafeContinuation { unsafe continuation = $0 }
        }

        func end(_ wasLet: Bool) {
            guard outcome == nil else { return }
            outcome = wasLet
            guard let waiting = unsafe continuation else { return }
            unsafe continuation = nil
            unsafe waiting.resume(returning: wasLet)
        }

        override func interrupt() { end(false) }
    }
}
