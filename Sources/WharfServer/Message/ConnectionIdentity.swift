/// What all requests of one connection share.
final class ConnectionIdentity: Sendable {
    let peer: Peer
    let server: ServerContext

    init(peer: Peer, server: ServerContext) {
        self.peer = peer
        self.server = server
    }
}
