/// A gate that opens once; threads wait before it.
package final class Latch: @unchecked Sendable {
    // @unchecked: `isOpen` is used under the monitor's lock.

    private let monitor = Monitor()
    private var isOpen = false

    package init() {}

    /// Lets all through, now and later.
    package func open() {
        monitor.locked {
            isOpen = true
            monitor.broadcast()
        }
    }

    /// Blocks the calling thread until the latch is open.
    package func wait() {
        monitor.locked { while !isOpen { monitor.wait() } }
    }

    /// Blocks the calling thread until the latch is open, or about so many seconds have passed: whether
    /// it is open.
    package func wait(seconds: Int) -> Bool {
        monitor.locked {
            if !isOpen { _ = monitor.wait(seconds: seconds) }
            return isOpen
        }
    }
}
