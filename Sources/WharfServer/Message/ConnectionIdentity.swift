/// What all requests of one connection share.
final class ConnectionIdentity: Sendable {
    let peer: Peer

    init(peer: Peer) {
        self.peer = peer
    }
}
