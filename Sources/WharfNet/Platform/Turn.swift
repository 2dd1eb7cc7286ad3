/// Lets one thread at a time do something that takes long, such as waiting for a disk.
///
/// Not a ``Locked`` of nothing: a value without a size lies where the object itself does, and the thread
/// sanitizer takes its use for one of that.
package final class Turn: Sendable {
    // A byte that is never looked at.
    private let lock = Locked(false)

    package init() {}

    /// Runs the closure while no other thread is in one.
    package func take<R>(_ body: () throws -> R) rethrows -> R {
        try lock.withLock { _ in try body() }
    }
}
