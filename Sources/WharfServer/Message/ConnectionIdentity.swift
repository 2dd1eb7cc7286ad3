import Synchronization

/// What all requests of one connection share.
final class ConnectionIdentity: Sendable {
    private struct State {
        var userName: String?
        var admittedHost: [UInt8] = []
    }

    let peer: Peer
    let server: ServerContext
    private let state = Mutex(State())
    private let hasUser = Atomic(false)

    init(peer: Peer, server: ServerContext) {
        self.peer = peer
        self.server = server
    }

    /// Who the present request's client has proved to be, for the log.
    var userName: String? {
        get { state.withLock { $0.userName } }
        set {
            state.withLock { $0.userName = newValue }
            hasUser.store(true, ordering: .relaxed)
        }
    }

    /// The request is over: the next one may be somebody else's.
    @inline(__always)
    func forgetUser() {
        if hasUser.load(ordering: .relaxed) { userName = nil }
    }

    /// The Host field that was found to be this server's last: mostly it stays the same.
    var admittedHost: [UInt8] {
        get { state.withLock { $0.admittedHost } }
        set { state.withLock { $0.admittedHost = newValue } }
    }
}
