import WharfNet

/// Accepts the connections of one address and deals them to the loops in turn.
///
/// It runs on the first loop, and every connection's task is a child of its own. Its listener may
/// be closed and another one come for the same address.
final class Acceptor: @unchecked Sendable {
    // @unchecked: used on the first loop only.

    /// Where it listens, or will again.
    let address: SocketAddress
    private let server: ServerContext
    private let states: [LoopState]
    private let security: ServerSecurity?
    private let ended: @Sendable () -> Void
    /// What is listened with now; `nil` while there is to be nothing.
    private var listener: Listener?
    private var socket: Socket?
    /// A socket that can't be bound anew, kept while nothing is accepted from it.
    private var kept: Listener?
    /// How often that has changed: what is told of an opening may be late.
    private var changeCount = 0
    private let openings: AsyncStream<Int>
    private let opening: AsyncStream<Int>.Continuation
    private var nextLoop = 0

    private static let acceptsPerTurn = 64
    private static let pause: UInt64 = 50_000_000

    /// `ended` is called, on any loop, whenever the last connection has ended.
    init(
        _ listener: Listener, server: ServerContext, states: [LoopState],
        security: ServerSecurity?, ended: @escaping @Sendable () -> Void
    ) {
        address = listener.address
        self.listener = listener
        self.server = server
        self.states = states
        self.security = security
        self.ended = ended
        (openings, opening) = AsyncStream.makeStream()
        opening.yield(changeCount)
    }

    private var loop: EventLoop { states[0].loop }

    /// Accepts until ``stop()``; returns when every connection has ended.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await number in openings where number == changeCount {
                await accept(&group)
            }
        }
    }

    /// Closes the listener; the connections go on.
    ///
    /// Of a passed socket the kernel still takes connections, which wait.
    func suspend() {
        if let listener, listener.isPassed { kept = listener.duplicated() }
        close()
    }

    private func close() {
        if let socket {
            socket.close()
            listener?.removePath(loop.system)
        } else {
            listener?.close(loop.system)
        }
        socket = nil
        listener = nil
        changeCount += 1
    }

    /// Listens at the same address again, but accepts nothing yet.
    ///
    /// Throws what binding throws.
    func reopen(backlog: Int32) throws(Errno) -> Listener {
        if let kept { return kept }
        return try Listener(address, backlog: backlog, system: loop.system)
    }

    /// Closes what ``reopen(backlog:)`` gave, as others could not be had.
    func takeBack(_ listener: Listener) {
        if !listener.isPassed { listener.close(loop.system) }
    }

    /// Goes on with another listener at the same address; to be called when suspended.
    func resume(with listener: Listener) {
        self.listener = listener
        kept = nil
        changeCount += 1
        opening.yield(changeCount)
    }

    /// Closes the listener for good; the connections go on.
    func stop() {
        close()
        kept?.close(loop.system)
        kept = nil
        opening.finish()
    }

    private func accept(_ group: inout DiscardingTaskGroup) async {
        guard let listener else { return }
        do throws(Errno) {
            socket = try Socket(listener.descriptor, loop: loop)
        } catch {
            server.log(.error, "cannot listen at \(address): \(error)")
            listener.removePath(loop.system)
            self.listener = nil
            return
        }
        var acceptedCount = 0
        while let socket, socket.isOpen {
            if acceptedCount == Self.acceptsPerTurn {
                acceptedCount = 0
                await loop.yield()
            }
            guard await waitForSlot() else { break }
            switch next(socket) {
            case .accepted(let descriptor, let peer):
                acceptedCount += 1
                admit(descriptor, peer, &group)
            case .nothing:
                acceptedCount = 0
                if await socket.waitReadable(until: .max) == .interrupted { break }
            case .dead:
                acceptedCount += 1
            case .exhausted:
                guard await pause() else { break }
            }
        }
    }

    private enum Step {
        case accepted(Int32, SocketAddress)
        case nothing
        /// It died before it was accepted.
        case dead
        /// No descriptor or memory is left, or worse: trying again at once would spin.
        case exhausted
    }

    private func next(_ socket: Socket) -> Step {
        do throws(Errno) {
            guard let (descriptor, peer) = try socket.accept() else { return .nothing }
            return .accepted(descriptor, peer)
        } catch {
            if error == .cancelled { return .nothing }
            // A connection that died while it waited is used up: take the next.
            if error.isOfLostConnection { return .dead }
            server.log(.error, "cannot accept, trying again soon: \(error)")
            return .exhausted
        }
    }

    private func admit(
        _ descriptor: Int32, _ peer: SocketAddress, _ group: inout DiscardingTaskGroup
    ) {
        let identity = Peer(
            address: peer, localAddress: address,
            connectionID: server.connections.nextID())
        if let accepts = server.configuration.hooks.accepts, !accepts(identity) {
            server.log(.info, "\(peer): refused by the program")
            return refuse(descriptor)
        }
        guard let count = server.connections.add(peer) else {
            server.log(.notice, "\(peer): refused, too many connections from this address")
            return refuse(descriptor)
        }
        if count == 1 { server.connectedState.noteConnection() }
        server.events.send(.connectionOpened(identity))
        let state = states[nextLoop]
        nextLoop = (nextLoop + 1) % states.count
        let (server, security, ended) = (server, security, ended)
        group.addTask(executorPreference: state.loop) {
            await Self.open(descriptor, identity, server, security, state)?.serve()
            Self.close(identity, server, state, ended)
        }
    }

    private func refuse(_ descriptor: Int32) {
        server.connections.noteRefused()
        loop.system.close(descriptor)
    }

    // Both are kept out of the task's frame, which lives as long as the connection.

    @inline(never)
    private static func open(
        _ descriptor: Int32, _ peer: Peer, _ server: ServerContext, _ security: ServerSecurity?,
        _ state: LoopState
    ) -> HTTPServerConnection? {
        do throws(Errno) {
            let socket = try Socket(descriptor, loop: state.loop)
            let identity = ConnectionIdentity(peer: peer, server: server, security: security)
            return HTTPServerConnection(socket, identity, state: state)
        } catch {
            server.log(.error, "\(peer.address): cannot watch the connection: \(error)")
            return nil
        }
    }

    @inline(never)
    private static func close(
        _ peer: Peer, _ server: ServerContext, _ state: LoopState, _ ended: @Sendable () -> Void
    ) {
        guard server.connections.remove(peer.address) == 0 else { return }
        server.connectedState.noteQuiet(at: state.loop.now)
        ended()
    }

    /// While all slots are taken new connections stay in the kernel's backlog.
    private func waitForSlot() async -> Bool {
        let max = server.configuration.connectionMax
        if server.connections.count >= max, server.fullLimit.pass(at: loop.now) != nil {
            server.log(.notice, "all \(max) connections are taken; more have to wait")
        }
        while server.connections.count >= max {
            guard await pause() else { return false }
        }
        return true
    }

    private func pause() async -> Bool {
        // Cancelled means that the server is ending.
        (try? await loop.sleep(until: loop.now &+ Self.pause)) != nil && socket != nil
    }
}
