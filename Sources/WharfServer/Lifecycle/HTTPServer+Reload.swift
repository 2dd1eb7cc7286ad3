import WharfNet

extension HTTPServer {
    /// Has what was read at the start read again, such as certificates: see ``Hooks/reloads``.
    ///
    /// ``runUntilTerminated()`` does it on SIGHUP, one after the other. What fails is logged, and the
    /// old stays in use; connections are not touched.
    public func reload() async {
        do {
            if let reloads = context.configuration.hooks.reloads {
                try await context.pool.runTask { [self] in try await reloads(self) }
            }
            context.log(.notice, "reloaded")
        } catch {
            context.log(.error, "reloading failed, the old stays in use: \(error)")
        }
        context.events.send(.reloaded)
    }

    /// Reloads whenever a signal has asked for it, until the task is cancelled.
    func reloadOnRequest() async {
        for await _ in context.reloads.stream { await reload() }
    }
}

/// Requests to reload, from any thread; one is for all that came before it was taken.
final class ReloadRequests: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func request() { continuation.yield() }
}
