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
    private let hasWaiters = Atomic(false)

    private struct State {
        var userName: String?
        var admittedHost: [UInt8] = []
        var waiters: [@Sendable () async -> Void] = []
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

    /// Has a closure run when the present request's answer has been sent whole.
    func whenSent(_ waiter: @escaping @Sendable () async -> Void) {
        state.withLock { $0.waiters.append(waiter) }
        hasWaiters.store(true, ordering: .relaxed)
    }

    /// The answer has ended: tells those that waited for it if it was sent whole.
    func tellSent(isWhole: Bool) async {
        guard hasWaiters.exchange(false, ordering: .relaxed) else { return }
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        guard isWhole else { return }
        for waiter in waiters { await waiter() }
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
