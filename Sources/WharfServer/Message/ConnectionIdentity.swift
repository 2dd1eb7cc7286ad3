import Synchronization

/// What all requests of one connection share.
final class ConnectionIdentity: Sendable {
    let peer: Peer
    let server: ServerContext
    private let proved = Mutex<String?>(nil)

    init(peer: Peer, server: ServerContext) {
        self.peer = peer
        self.server = server
    }

    /// Who the present request's client has proved to be, for the log.
    var userName: String? {
        get { proved.withLock { $0 } }
        set { proved.withLock { $0 = newValue } }
    }
}
