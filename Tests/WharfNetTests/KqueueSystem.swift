import KqueuePoller

@testable import WharfNet

/// A system that waits by the code that Apple systems run, over kqueue.
final class KqueueSystem: System, @unchecked Sendable {
    private let poller: KqueuePoller.Poller

    override init() throws(Errno) {
        poller = try KqueuePoller.Poller()
        try super.init()
    }

    override func register(_ descriptor: Int32, token: UInt64) throws(Errno) {
        try poller.add(descriptor, token: token)
    }

    override func wait(into events: inout [PollEvent], timeout: UInt64?) {
        poller.wait(into: &events, timeout: timeout)
    }

    override func wake() {
        poller.wake()
    }
}
