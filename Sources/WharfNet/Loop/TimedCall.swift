/// Calls a closure on the loop when a time has come, in place and without a task.
///
/// It is used on its loop only, and has to be stopped before it dies.
package final class TimedCall: TimedEntry, @unchecked Sendable {
    // @unchecked: used on its loop only.

    private let loop: EventLoop
    private let action: (UInt64) -> UInt64?

    /// The closure gets the time in nanoseconds, and answers when it is to be called again, `nil`
    /// for never.
    package init(on loop: EventLoop, _ action: @escaping (UInt64) -> UInt64?) {
        self.loop = loop
        self.action = action
        super.init()
    }

    /// Has it called by a time in nanoseconds, and maybe before.
    package func start(by deadline: UInt64) {
        assert(loop.isCurrent)
        loop.wheel.arm(self, by: deadline)
    }

    /// It is called no more.
    package func stop() {
        assert(loop.isCurrent)
        loop.wheel.remove(self)
    }

    package override func fire(at now: UInt64) -> UInt64? { action(now) }
}
