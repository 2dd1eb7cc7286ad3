import WharfNet

/// Sockets in memory that the systems of one simulation share, and their clock.
///
/// Buffers are bounded, and sizes, orders and cuts come from the seed. What a real kernel does is
/// done here too: closing with unread bytes sends RST, and so do bytes for a socket that is closed;
/// RST destroys what is on its way, and every other time what has arrived.
package final class SimulatedNetwork: @unchecked Sendable {
    // @unchecked: used by one thread at a time: the one that sets the simulation up, then its own.

    /// Nanoseconds of the virtual clock.
    package internal(set) var now: UInt64
    /// Everything that happened.
    package internal(set) var trace = EventTrace()
    /// Bytes that a socket may hold on its way in, and as many on its way out.
    package var bufferSizes = [256, 4096, 16 * 1024, 64 * 1024, 256 * 1024]
    /// Calls move all that they can: none is cut where the seed says so.
    package var isSmooth = false
    /// Files and folders that are open, which are real ones.
    package internal(set) var openFileCount = 0
    /// Uses of descriptors that were not open: mistakes of whoever made the call.
    package private(set) var misuseCount = 0

    var random: SeededRandom
    private var slots: [SimulatedSocket?] = []
    private var listeners: [SimulatedSocket] = []
    private var moving: [SimulatedSocket] = []
    private var lastNumber = 0
    private var lastPort: UInt16 = 49_151

    /// Above what the system gives to files.
    private static let firstDescriptor: Int32 = 1 << 24
    private static let unixTimeAtStart: Int64 = 1_700_000_000

    init(random: SeededRandom, now: UInt64) {
        self.random = random
        self.now = now
    }

    /// Seconds since 1970.
    package var unixMilliseconds: Int64 {
        Self.unixTimeAtStart * 1000 + Int64(now / 1_000_000)
    }

    /// The descriptors that are open.
    package var openDescriptors: [Int32] { slots.compactMap { $0?.descriptor } }

    /// How many bytes the other end has received of what this one has sent.
    package func countReceivedByPeer(of descriptor: Int32) -> Int {
        socket(descriptor)?.peer?.receivedCount ?? 0
    }

    // MARK: Descriptors

    func owns(_ descriptor: Int32) -> Bool { descriptor >= Self.firstDescriptor }

    /// The socket of a descriptor; `nil` counts as a mistake.
    func open(_ descriptor: Int32) -> SimulatedSocket? {
        let socket = socket(descriptor)
        if socket == nil { misuseCount += 1 }
        return socket
    }

    private func socket(_ descriptor: Int32) -> SimulatedSocket? {
        let index = Int(descriptor) - Int(Self.firstDescriptor)
        return slots.indices.contains(index) ? slots[index] : nil
    }

    func makeSocket() -> SimulatedSocket {
        lastNumber += 1
        return SimulatedSocket(
            number: lastNumber, inboxMax: random.pick(bufferSizes),
            wireMax: random.pick(bufferSizes))
    }

    /// Gives a socket the lowest descriptor that is free, as a kernel does.
    func giveDescriptor(to socket: SimulatedSocket) -> Int32 {
        let index = slots.firstIndex { $0 == nil } ?? slots.count
        if index == slots.count { slots.append(nil) }
        slots[index] = socket
        let descriptor = Self.firstDescriptor + Int32(index)
        socket.descriptor = descriptor
        return descriptor
    }

    func takeDescriptor(from socket: SimulatedSocket) {
        guard let descriptor = socket.descriptor else { return }
        slots[Int(descriptor - Self.firstDescriptor)] = nil
        socket.descriptor = nil
        socket.watcher = nil
    }

    func note(_ kind: EventTrace.Kind, _ who: Int, _ what: Int) {
        trace.note(kind, who, what, at: now)
    }

    // MARK: Listening and connecting

    func listen(_ socket: SimulatedSocket, at address: SocketAddress, backlog: Int32)
        -> SystemResult
    {
        var address = address
        if case .unix = address {
        } else if address.port == 0 {
            lastPort += 1
            address = address.with(port: lastPort)
        }
        guard !listeners.contains(where: { $0.localAddress == address }) else {
            return .failure(.addressInUse)
        }
        socket.role = .listening
        socket.localAddress = address
        socket.backlogMax = Int(backlog)
        listeners.append(socket)
        return .success(0)
    }

    func connect(_ socket: SimulatedSocket, to address: SocketAddress, from source: SocketAddress)
        -> SystemResult
    {
        guard socket.role == .fresh else { return .failure(.invalidArgument) }
        guard let listener = listeners.first(where: { $0.localAddress == address }),
            listener.backlog.count < listener.backlogMax
        else { return .failure(.connectionRefused) }
        lastPort = lastPort == .max ? 49_152 : lastPort + 1
        let other = makeSocket()
        for (end, otherEnd) in [(socket, other), (other, socket)] {
            end.role = .connected
            end.peer = otherEnd
        }
        socket.localAddress = source.with(port: lastPort)
        socket.remoteAddress = address
        other.localAddress = address
        other.remoteAddress = socket.localAddress
        listener.backlog.append(other)
        note(.connect, socket.number, other.number)
        listener.post()
        socket.post()
        return .success(0)
    }

    func accept(_ listener: SimulatedSocket) -> SimulatedSocket? {
        guard !listener.backlog.isEmpty else { return nil }
        let socket = listener.backlog.removeFirst()
        note(.accept, listener.number, socket.number)
        return socket
    }

    func stopListening(_ listener: SimulatedSocket) {
        listeners.removeAll { $0 === listener }
        for waiting in listener.backlog {
            waiting.isOrphan = true
            cut(waiting)
        }
        listener.backlog = []
    }

    // MARK: Moving bytes

    /// True when something is on its way.
    var hasTraffic: Bool { !moving.isEmpty }

    /// Has a socket's bytes moved on, if they can.
    func startMoving(_ socket: SimulatedSocket) {
        guard !socket.isMoving, socket.canMove else { return }
        socket.isMoving = true
        moving.append(socket)
    }

    /// Moves some bytes, or a FIN, of one socket to its other end.
    func deliver() {
        let index = random.below(moving.count)
        let socket = moving[index]
        if socket.canMove, let peer = socket.peer { deliver(from: socket, to: peer) }
        guard !socket.canMove else { return }
        socket.isMoving = false
        moving.swapAt(index, moving.count - 1)
        moving.removeLast()
    }

    private func deliver(from socket: SimulatedSocket, to peer: SimulatedSocket) {
        guard !socket.wire.isEmpty else {
            socket.isFinishDelivered = true
            peer.peerHasFinished = true
            note(.deliver, socket.number, 0)
            // Nothing more comes from here; what comes back finds an orphan.
            if socket.isOrphan { socket.peer = nil }
            peer.post()
            return
        }
        guard !peer.isOrphan else {
            arriveReset(at: socket)
            return
        }
        let count = piece(of: min(socket.wire.count, peer.inboxMax - peer.inbox.count))
        socket.wire.move(count, to: &peer.inbox)
        note(.deliver, socket.number, count)
        peer.post()
        if socket.owesRoom {
            socket.wantsRoom = false
            socket.post()
        }
    }

    /// How much of something that could move does: mostly all.
    func piece(of count: Int) -> Int {
        if isSmooth { return count }
        return switch random.below(8) {
        case 0: 1
        case 1, 2: 1 + random.below(count)
        default: count
        }
    }

    /// Sends RST from a socket.
    func cut(_ socket: SimulatedSocket) {
        socket.wire.removeAll()
        guard let peer = socket.peer else { return }
        socket.peer = nil
        arriveReset(at: peer)
    }

    private func arriveReset(at socket: SimulatedSocket) {
        note(.reset, socket.number, 0)
        socket.peer = nil
        socket.wire.removeAll()
        if random.isOne(in: 2) { socket.inbox.removeAll() }
        socket.isReset = true
        socket.pendingError = .connectionReset
        socket.post()
    }
}
