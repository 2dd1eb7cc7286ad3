import WharfNet

/// One end of a connection in memory, or a listener, as the kernel sees it.
///
/// It outlives its descriptor while bytes are on their way, and has none before it is accepted.
final class SimulatedSocket {
    enum Role { case fresh, listening, connected }

    /// Unlike that of any other socket of the network; descriptors come back.
    let number: Int
    var descriptor: Int32?
    var role = Role.fresh
    var localAddress: SocketAddress?
    var remoteAddress: SocketAddress?

    // A listener's.
    var backlog: [SimulatedSocket] = []
    var backlogMax = 0

    // A connection's. The other end is forgotten when nothing can come or go any more.
    var peer: SimulatedSocket?
    /// Arrived and not received yet.
    var inbox = ByteQueue()
    let inboxMax: Int
    /// Sent and not arrived yet.
    var wire = ByteQueue()
    let wireMax: Int
    /// FIN follows the bytes on the wire.
    var hasFinished = false
    /// FIN has arrived at the other end.
    var isFinishDelivered = false
    var peerHasFinished = false
    /// RST has come: nothing goes either way.
    var isReset = false
    var pendingError: Errno?
    var resetsOnClose = false
    /// The owner has closed it; bytes that still come are answered with RST.
    var isOrphan = false
    /// A call to send found no room: tell when there is some.
    var wantsRoom = false
    /// It is in the network's list of those that have something to move.
    var isMoving = false
    /// Bytes that the owner has received.
    var receivedCount = 0

    // Who watches it.
    weak var watcher: SimulatedSystem?
    var token: UInt64 = 0
    /// It is in the watcher's list of those that something has happened to.
    var isPosted = false

    init(number: Int, inboxMax: Int, wireMax: Int) {
        self.number = number
        self.inboxMax = inboxMax
        self.wireMax = wireMax
    }

    /// True while the owner may use it.
    var isOpen: Bool { descriptor != nil }

    /// A third of the room has to be free before anybody is told, as in Linux.
    private var hasRoom: Bool { wire.count * 3 <= wireMax * 2 }

    /// True when there is room that somebody was denied.
    var owesRoom: Bool { wantsRoom && hasRoom }

    /// True when bytes or FIN can move to the other end now.
    var canMove: Bool {
        guard let peer else { return false }
        if wire.isEmpty { return hasFinished && !isFinishDelivered }
        return peer.isOrphan || peer.inbox.count < peer.inboxMax
    }

    /// What a poller says of it now; `nil`: nothing.
    var event: PollEvent? {
        switch role {
        case .fresh: return nil
        case .listening: return backlog.isEmpty ? nil : PollEvent(token: token, isReadable: true)
        case .connected: break
        }
        // Both have finished: EPOLLHUP, as after RST.
        let isOver = isReset || (peerHasFinished && hasFinished)
        let event = PollEvent(
            token: token,
            isReadable: isReset || peerHasFinished || !inbox.isEmpty,
            isWritable: isReset || hasRoom,
            peerHasFinished: isReset || peerHasFinished,
            isBroken: isOver)
        return event.isReadable || event.isWritable ? event : nil
    }

    /// Something has happened to it: whoever watches is to ask.
    func post() {
        guard isOpen, !isPosted, let watcher else { return }
        isPosted = true
        watcher.ready.append(self)
    }
}
