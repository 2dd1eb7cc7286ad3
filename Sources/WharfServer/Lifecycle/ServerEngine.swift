package import WharfNet

/// The threads that a server runs on.
package struct ServerEngine: Sendable {
    package let loops: [EventLoop]
    package let pool: BlockingPool
    /// Somebody calls the loops' and the pool's turns: no threads are started.
    package let isDriven: Bool

    package init(loops: [EventLoop], pool: BlockingPool, isDriven: Bool) {
        precondition(!loops.isEmpty, "a server needs a loop")
        self.loops = loops
        self.pool = pool
        self.isDriven = isDriven
    }

    /// Throws what making a poller throws.
    init(_ configuration: HTTPServer.Configuration) throws(Errno) {
        let pool = BlockingPool(
            clock: .withoutLoop, threadCountMax: max(1, configuration.poolThreadMax),
            queueMax: max(0, configuration.poolQueueMax))
        var loops: [EventLoop] = []
        for number in 0..<max(1, configuration.loopCount) {
            loops.append(EventLoop(system: try System(), pool: pool, name: "wharf-loop-\(number)"))
        }
        self.init(loops: loops, pool: pool, isDriven: false)
    }

    func start() throws(Errno) {
        guard !isDriven else { return }
        for loop in loops { try loop.start() }
    }

    func stop() {
        guard !isDriven else { return }
        for loop in loops { loop.stop() }
    }
}
