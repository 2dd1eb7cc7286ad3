/// Waits that end when the task that waits is cancelled, whichever task that is.
extension Socket {
    /// Runs a wait of this socket, and interrupts it when the task is cancelled.
    ///
    /// `.interrupted` may also come for nothing, from a cancellation that was late for an earlier
    /// wait: whoever gets it looks at `Task.isCancelled` and ``isInterrupted``, and else waits again.
    package func waitCancellably(_ wait: () async -> Readiness) async -> Readiness {
        let nudge = Nudge(self)
        return await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            loop.interrupt(nudge)
        }
    }
}

/// Ends the present waits of a socket, on its loop.
private final class Nudge: TimedEntry, @unchecked Sendable {
    // @unchecked: it only hands the socket to the loop, where `interrupt()` is called.

    private let socket: Socket

    init(_ socket: Socket) {
        self.socket = socket
        super.init()
    }

    override func interrupt() {
        socket.nudge()
    }
}
