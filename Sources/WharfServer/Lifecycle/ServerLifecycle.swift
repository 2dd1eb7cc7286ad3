import WharfNet

/// A server was used in a way that its state does not allow.
public struct HTTPServerError: Error, Sendable, Hashable {
    /// ``HTTPServer/run()`` was called before.
    public static let hasRunAlready = HTTPServerError(kind: .hasRunAlready)

    private enum Kind { case hasRunAlready }

    private let kind: Kind
}

/// Where a server is between its start and its end.
final class ServerLifecycle: Sendable {
    private struct State {
        var hasBegun = false
        var stopWithin: Duration?
    }

    private let state = Locked(State())
    private let stopRequested = Signal()
    /// The last connection has ended while stopping, or nobody wants to wait for it any more.
    private let quiet = Signal()
    private let ended = Signal()

    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    func begin() throws(HTTPServerError) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { throw .hasRunAlready }
    }

    /// Asks for the end.
    ///
    /// Asking again ends the patience of the first.
    func requestStop(within duration: Duration) {
        let isAgain = state.withLock { state in
            let isAgain = state.stopWithin != nil
            state.stopWithin = state.stopWithin ?? duration
            return isAgain
        }
        if isAgain { quiet.set() }
        stopRequested.set()
    }

    /// Waits to be asked, and says how long the end may take.
    func waitForStop() async -> Duration {
        await stopRequested.wait()
        return state.withLock { $0.stopWithin } ?? .zero
    }

    /// The last connection has ended; it counts once the server is stopping.
    func noteQuiet() {
        if state.withLock({ $0.stopWithin != nil }) { quiet.set() }
    }

    func waitForQuiet(isQuiet: () -> Bool) async {
        if !isQuiet() { await quiet.wait() }
    }

    func end() { ended.set() }

    func waitForEnd() async { await ended.wait() }
}
