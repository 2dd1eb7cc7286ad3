/// A closure that is called when a time has come, on its loop.
package final class LoopTimer: TimedEntry, @unchecked Sendable {
    // @unchecked: used on its loop's thread only.

    private let loop: EventLoop
    private var action: ((UInt64) -> UInt64?)?

    package init(_ loop: EventLoop) {
        self.loop = loop
        super.init()
    }

    /// Has the closure called by `deadline`, in nanoseconds, or a little later.
    ///
    /// It gets the present time, and answers when to be called again, or `nil`.
    package func start(by deadline: UInt64, _ action: @escaping (UInt64) -> UInt64?) {
        self.action = action
        loop.wheel.arm(self, by: deadline)
    }

    /// Has the closure called by an earlier deadline than before.
    package func hurry(by deadline: UInt64) {
        guard action != nil else { return }
        loop.wheel.arm(self, by: deadline)
    }

    /// The closure is not called any more; whoever starts a timer stops it before letting go of it.
    package func stop() {
        action = nil
        loop.wheel.remove(self)
    }

    package override func fire(at now: UInt64) -> UInt64? { action?(now) }
}
