import WharfNet

extension HTTPServer {
    /// Blocks the calling thread and answers requests until SIGTERM or SIGINT comes.
    ///
    /// Then it stops within ``Configuration/drainTimeout``; a second signal stops at once. SIGHUP is
    /// ``reload()``, unless it comes because the terminal was closed: that ends it, too. For
    /// programs that are nothing but a server: it takes the signals over for the whole process,
    /// so call it before other threads are started. Throws what ``run()`` throws.
    public func runUntilTerminated() throws {
        let requestStop = requestStop
        let reloads = context.reloads
        try TerminationSignals.onArrival { request in
            switch request {
            case .stop: requestStop()
            case .reload: reloads.request()
            }
        }
        let hasEnded = Latch()
        try start { hasEnded.open() }
        hasEnded.wait()
    }
}
