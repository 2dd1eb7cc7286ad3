import WharfBLIPEngine
public import WharfNet
public import WharfServer

/// Takes connections of BLIP 1.1.
///
///     let listener = try BLIPTCPListener([.loopback(port: 9000)], dispatcher)
///     try await listener.run()
public final class BLIPTCPListener: Sendable {
    /// Is called with each connection; it may send requests, too.
    public typealias ConnectionHandler = @Sendable (BLIPConnection) async throws -> Void

    /// Where it listens, with the ports that the system picked.
    public let addresses: [SocketAddress]
    private let listeners: [Listener]
    private let loop: EventLoop
    private let pool: BlockingPool
    private let dispatcher: BLIPDispatcher
    private let options: BLIPOptions
    private let execution: Execution
    private let onConnection: ConnectionHandler?
    private let connectionMax: Int
    private let tls: TLSServer?
    private let hasBegun = Locked(false)

    /// How long a send may move no byte, in nanoseconds.
    private static let patience: UInt64 = 60_000_000_000
    private static let pause: UInt64 = 50_000_000
    /// How long a handshake of TLS may take, in nanoseconds.
    private static let handshakeMax: UInt64 = 10_000_000_000

    /// Binds the addresses: clients can connect from then on, and ``run()`` answers them.
    ///
    /// At most `connectionMax` connections are open at a time; more wait. Handlers run where
    /// `execution` says. With `tls` connections are secured, and may be asked for certificates: see
    /// ``BLIPConnection/security``. Throws ``WharfNet/Errno`` when an address can't be had, and
    /// ``WharfNet/TLSError``.
    public init(
        _ addresses: [SocketAddress], _ dispatcher: BLIPDispatcher,
        options: BLIPOptions = BLIPOptions(), tls: TLSServerConfiguration? = nil,
        connectionMax: Int = 1000,
        on execution: Execution = .pool, _ onConnection: ConnectionHandler? = nil
    ) throws {
        ProcessSettings.ignoreDeadlySignals()
        self.dispatcher = dispatcher
        self.options = options
        self.execution = execution
        self.onConnection = onConnection
        self.connectionMax = max(1, connectionMax)
        self.tls = try tls.map { try TLSServer($0) }
        pool = BlockingPool(clock: .withoutLoop, threadCountMax: 64)
        loop = EventLoop(system: try System(), pool: pool, name: "wharf-blip")
        listeners = try Listener.open(addresses, backlog: 512, system: loop.system)
        self.addresses = listeners.map(\.address)
    }

    deinit {
        // Nobody has run it, or ever will: the ports are free again.
        guard !hasBegun.withLock({ $0 }) else { return }
        for listener in listeners { listener.close(loop.system) }
    }

    /// Serves until the task is cancelled; then the connections are reset.
    ///
    /// It runs once. Throws ``WharfNet/Errno`` when no thread can be had.
    public func run() async throws {
        try loop.start()
        hasBegun.withLock { $0 = true }
        defer { loop.stop() }
        try await loop.confine { [self] in
            await withDiscardingTaskGroup { group in
                for (number, listener) in listeners.enumerated() {
                    group.addTask { [self] in await accept(listener, UInt64(number)) }
                }
            }
        }
    }

    private func accept(_ listener: Listener, _ number: UInt64) async {
        guard let socket = try? Socket(listener.descriptor, loop: loop) else { return }
        defer {
            socket.close()
            listener.removePath(loop.system)
        }
        await withTaskGroup(of: Void.self) { group in
            var openCount = 0
            var nextID = number
            while !Task.isCancelled {
                while openCount >= connectionMax, await group.next() != nil { openCount -= 1 }
                switch Self.next(socket) {
                case .success((let descriptor, let address)?):
                    openCount += 1
                    nextID += UInt64(listeners.count)
                    let peer = Peer(
                        address: address, localAddress: listener.address, connectionID: nextID)
                    group.addTask { [self] in await serve(descriptor, peer) }
                case .success(nil):
                    _ = await socket.waitCancellably { await socket.waitReadable(until: .max) }
                case .failure:
                    // A connection that is gone, or nothing left to open it with: the next one soon.
                    try? await loop.sleep(until: loop.now &+ Self.pause)
                }
            }
            group.cancelAll()
        }
    }

    private static func next(
        _ socket: Socket
    ) -> Result<(descriptor: Int32, peer: SocketAddress)?, Errno> {
        do throws(Errno) {
            return .success(try socket.accept())
        } catch {
            return .failure(error)
        }
    }

    private func serve(_ descriptor: Int32, _ peer: Peer) async {
        // It is closed if it can't be watched.
        guard let socket = try? Socket(descriptor, loop: loop) else { return }
        defer { socket.close() }
        var security: TLSSession?
        if let tls {
            let deadline = loop.now &+ Self.handshakeMax
            // Whoever can't is told so by TLS itself.
            guard let session = try? await socket.secure(with: tls, until: deadline) else { return }
            security = session
        }
        let link = BLIPLink(options.settings(dispatcher), loop: loop)
        let connection = BLIPConnection(link, peer: peer, security: security)
        let transport = TCPTransport(ByteStream(socket, patience: Self.patience))
        // How it ended is in the connection's events.
        if execution == .pool {
            try? await pool.runTask { [onConnection] in
                try await link.serve(transport, .v1, connection, onConnection)
            }
        } else {
            try? await link.serve(transport, .v1, connection, onConnection)
        }
    }
}
