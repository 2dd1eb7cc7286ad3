/// A closure that any thread can have called on a loop, with no task to carry it.
package final class LoopCall: TimedEntry, @unchecked Sendable {
    // @unchecked: the closure is called on the loop only; `EventLoop.interrupt` brings it there.

    private let action: () -> Void

    private init(_ action: @escaping () -> Void) {
        self.action = action
        super.init()
    }

    /// Has the closure called on the loop, once and soon.
    ///
    /// Callable from any thread.
    package static func call(on loop: EventLoop, _ action: @escaping @Sendable () -> Void) {
        loop.interrupt(LoopCall(action))
    }

    package override func interrupt() { action() }
}
