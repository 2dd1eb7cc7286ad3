import Synchronization
import WharfNet

/// What all requests of one connection share.
final class ConnectionIdentity: Sendable {
    let peer: Peer
    let server: ServerContext
    /// How the connection is secured; `nil` if it is not.
    let security: ServerSecurity?
    private let state = Mutex(State())
    private let hasUser = Atomic(false)

    private struct State {
        var userName: String?
        var admittedHost: [UInt8] = []
        /// In an object of its own: connections that are not secured need no room for it.
        var agreed: Agreed?
    }

    private final class Agreed: Sendable {
        let session: TLSSession
        init(_ session: TLSSession) { self.session = session }
    }

    init(peer: Peer, server: ServerContext, security: ServerSecurity? = nil) {
        self.peer = peer
        self.server = server
        self.security = security
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

    /// What was agreed on when the connection was secured.
    var session: TLSSession? {
        get { state.withLock { $0.agreed?.session } }
        set { state.withLock { $0.agreed = newValue.map(Agreed.init) } }
    }
}
