import Testing
@testable import WharfNet

/// A loop, and connections on it whose ends secure each other.
struct TLSStage: Sendable {
    let loop: EventLoop
    let listener: Listener

    /// What one end has come to.
    typealias End = Result<TLSSession, TLSError>

    /// Both ends of one connection, after the handshake.
    struct Pair: Sendable {
        let server: Socket
        let client: Socket
        let serverEnd: End
        let clientEnd: End
    }

    static let patience: UInt64 = 10_000_000_000

    /// Runs the closure and ends the loop.
    static func run(
        _ system: System? = nil,
        _ body: @escaping @concurrent @Sendable (TLSStage) async throws -> Void
    ) async throws {
        let loop = EventLoop(system: try system ?? System())
        let listener = try Listener(.loopback(port: 0), backlog: 64, system: .withoutLoop)
        try loop.start()
        defer {
            loop.stop()
            System.withoutLoop.close(listener.descriptor)
        }
        try await loop.confine {
            // Sockets that are left would hold the loop, and it them.
            defer { loop.forEachSocket { $0.close() } }
            try await body(TLSStage(loop: loop, listener: listener))
        }
    }

    /// Two sockets that are connected to each other, and not secured.
    func connect() async throws -> (server: Socket, client: Socket) {
        let connector = Connector(
            loop: loop, pool: BlockingPool(clock: .withoutLoop, threadCountMax: 1))
        let client = try await connector.connect(
            to: [listener.address], deadline: loop.now + Self.patience)
        while true {
            var peer: SocketAddress?
            if case .success(let accepted) = System.withoutLoop.accept(
                listener.descriptor, peer: &peer)
            {
                // One whose client has failed at once may be before it.
                guard peer == System.withoutLoop.localAddress(of: client.descriptor) else {
                    System.withoutLoop.close(Int32(accepted))
                    continue
                }
                return (try Socket(Int32(accepted), loop: loop), client)
            }
            await loop.yield()
        }
    }

    /// Connects and shakes hands.
    func pair(
        _ server: TLSServer, _ client: TLSClient, host: String = "localhost"
    ) async throws -> Pair {
        let (serverSocket, clientSocket) = try await connect()
        let deadline = loop.now + Self.patience
        async let clientEnd = Self.end { () async throws(TLSError) in
            try await clientSocket.secure(with: client, host: host, until: deadline)
        }
        let serverEnd = await Self.end { () async throws(TLSError) in
            try await serverSocket.secure(with: server, until: deadline)
        }
        if case .failure = serverEnd { serverSocket.close() }
        return await Pair(
            server: serverSocket, client: clientSocket, serverEnd: serverEnd, clientEnd: clientEnd)
    }

    static func end(_ body: () async throws(TLSError) -> TLSSession) async -> End {
        do throws(TLSError) {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    /// Reads until the end or an error.
    func readAll(_ socket: Socket) async -> (bytes: [UInt8], last: ReceiveStep) {
        var all: [UInt8] = []
        while true {
            let (step, bytes) = socket.receive(countMax: 100_000)
            switch step {
            case .bytes: all += bytes
            case .ended, .failed: return (all, step)
            case .wouldBlock:
                guard await socket.waitReadable(until: loop.now + Self.patience) == .ready else {
                    return (all, .failed(.timedOut))
                }
            }
            await socket.yieldIfDue()
        }
    }
}

/// Identities that tests use, made once: keys cost time.
enum TestIdentity {
    static let localhost = make("localhost", "127.0.0.1", "::1")
    static let other = make("other.test", "*.wild.test")
    static let client = make("client.test")

    private static func make(_ hosts: String...) -> TLSIdentity {
        try! TLSIdentity.selfSigned(hosts: hosts)
    }
}

extension TLSServer {
    /// A server as `localhost`.
    static func test(
        _ identities: [TLSIdentity] = [TestIdentity.localhost],
        _ configure: (inout TLSServerConfiguration) -> Void = { _ in }
    ) throws -> TLSServer {
        var configuration = TLSServerConfiguration(identities: identities)
        configure(&configuration)
        return try TLSServer(configuration)
    }
}

extension TLSClient {
    /// A client that trusts the identity `localhost`.
    static func test(
        _ trust: TLSClientConfiguration.Trust = .certificates([TestIdentity.localhost.certificate]),
        _ configure: (inout TLSClientConfiguration) -> Void = { _ in }
    ) throws -> TLSClient {
        var configuration = TLSClientConfiguration(trust: trust)
        configure(&configuration)
        return try TLSClient(configuration)
    }
}
