/// A value that is used under a lock of the system's.
///
/// It is what `Mutex` is, for what several threads want at once: on Linux a contended `Mutex` is
/// handed over by the kernel, where the thread sanitizer does not see it.
@safe package final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is used under the monitor's lock.

    private let monitor = Monitor()
    // Unchecked: the lock is what the run-time check would look for, and costs less.
    @exclusivity(unchecked) private var value: Value

    package init(_ value: Value) {
        unsafe self.value = value
    }

    /// Lends the value while no other thread has it.
    package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        try monitor.locked { unsafe try body(&value) }
    }
}
