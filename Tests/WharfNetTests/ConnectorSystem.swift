import Synchronization
@testable import WharfNet

/// A system whose names and unanswering addresses a test decides, and which counts its sockets.
final class ConnectorSystem: System, @unchecked Sendable {
    private struct State {
        var names: [String: Result<[SocketAddress], NameLookupError>] = [:]
        var silent: Set<SocketAddress> = []
        var silentDescriptors: Set<Int32> = []
        var attempts: [SocketAddress] = []
        var lookUps: [String] = []
        var open: Set<Int32> = []
    }

    private let state = Box(State())
    /// A look-up waits here, as a name server that does not answer would make it.
    let lookUpMayEnd: Latch

    private final class Box<Value>: Sendable where Value: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    init(
        names: [String: Result<[SocketAddress], NameLookupError>] = [:],
        silent: Set<SocketAddress> = [], lookUpHangs: Bool = false
    ) throws(Errno) {
        lookUpMayEnd = Latch()
        if !lookUpHangs { lookUpMayEnd.open() }
        try super.init()
        state.value.withLock {
            $0.names = names
            $0.silent = silent
        }
    }

    /// Where connections were tried, in this order.
    var attempts: [SocketAddress] { state.value.withLock { $0.attempts } }
    var lookUps: [String] { state.value.withLock { $0.lookUps } }
    /// Sockets that were made and not closed.
    var openCount: Int { state.value.withLock { $0.open.count } }

    override func lookUp(_ host: String, port: UInt16) -> Result<[SocketAddress], NameLookupError> {
        let known = state.value.withLock { state in
            state.lookUps.append(host)
            return state.names[host]
        }
        lookUpMayEnd.wait()
        return known ?? super.lookUp(host, port: port)
    }

    override func socket(for address: SocketAddress) -> SystemResult {
        let result = super.socket(for: address)
        if case .success(let made) = result {
            state.value.withLock { _ = $0.open.insert(Int32(made)) }
        }
        return result
    }

    override func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult {
        let isSilent = state.value.withLock { state in
            state.attempts.append(address)
            guard state.silent.contains(address) else { return false }
            state.silentDescriptors.insert(descriptor)
            return true
        }
        return isSilent ? .failure(.inProgress) : super.connect(descriptor, to: address)
    }

    override func register(_ descriptor: Int32, token: UInt64) throws(Errno) {
        // The kernel would say of a socket that does not connect that it is broken.
        if state.value.withLock({ $0.silentDescriptors.contains(descriptor) }) { return }
        try super.register(descriptor, token: token)
    }

    override func close(_ descriptor: Int32) {
        state.value.withLock { state in
            state.open.remove(descriptor)
            state.silentDescriptors.remove(descriptor)
        }
        super.close(descriptor)
    }
}

/// A loop on its thread and a connector on it, for one test.
struct ConnectorStage {
    let system: ConnectorSystem
    let loop: EventLoop
    let connector: Connector

    /// Runs the closure, ends the loop, and answers how many sockets are left.
    static func run(
        _ system: ConnectorSystem, _ body: (ConnectorStage) async throws -> Void
    ) async throws -> Int {
        let loop = EventLoop(system: system)
        try loop.start()
        defer { loop.stop() }
        try await body(
            ConnectorStage(
                system: system, loop: loop,
                connector: Connector(
                    loop: loop, pool: BlockingPool(clock: .withoutLoop, threadCountMax: 4))))
        return system.openCount
    }

    func connect(host: String, port: UInt16, within: Duration = .seconds(10)) async throws {
        try await finish { [connector] in
            try await connector.connect(host: host, port: port, deadline: deadline(within))
        }
    }

    func connect(to addresses: [SocketAddress], within: Duration = .seconds(10)) async throws {
        try await finish { [connector] in
            try await connector.connect(to: addresses, deadline: deadline(within))
        }
    }

    private func finish(_ connect: () async throws -> Socket) async throws {
        let socket = try await connect()
        try await loop.confine { socket.close() }
    }

    func deadline(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        return system.now() + UInt64(seconds) * 1_000_000_000
            + UInt64(attoseconds / 1_000_000_000)
    }
}
