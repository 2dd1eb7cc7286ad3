import WharfNet

extension HTTPServer {
    /// Runs until SIGTERM or SIGINT comes, then stops within ``Configuration/drainTimeout``.
    ///
    /// A second signal stops at once. For programs that are nothing but a server: it takes the two
    /// signals over for the whole process, so call it before other threads are started. Throws what
    /// ``run()`` throws.
    public func runUntilTerminated() async throws {
        let requestStop = requestStop
        try TerminationSignals.onArrival { _ in requestStop() }
        try await run()
    }
}
