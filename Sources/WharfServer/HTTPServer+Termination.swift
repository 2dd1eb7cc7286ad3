import WharfNet

extension HTTPServer {
    /// Blocks the calling thread and answers requests until SIGTERM or SIGINT comes.
    ///
    /// Then it stops within ``Configuration/drainTimeout``; a second signal stops at once. For
    /// programs that are nothing but a server: it takes the two signals over for the whole process,
    /// so call it before other threads are started. Throws what ``run()`` throws.
    public func runUntilTerminated() throws {
        let requestStop = requestStop
        try TerminationSignals.onArrival { _ in requestStop() }
        let hasEnded = Latch()
        try start { hasEnded.open() }
        hasEnded.wait()
    }
}
