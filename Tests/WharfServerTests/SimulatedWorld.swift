import TestSupport
import WharfNet
import WharfTesting

@testable import WharfServer

/// A server in a simulation, and what its clients have to know of it.
final class SimulatedWorld: @unchecked Sendable {
    // @unchecked: used on the clients' loop only.

    let simulation: Simulation
    let server: HTTPServer
    let configuration: HTTPServer.Configuration
    /// Secures the clients' connections, if the server speaks TLS.
    let tls: TLSClient?
    var address: SocketAddress { server.addresses[0] }
    var loop: EventLoop { simulation.clientLoop }
    var now: UInt64 { simulation.network.now }

    /// Calls of the server fail: it may cut connections and answer with errors, but never wrongly.
    var isFaulty = false
    /// What its clients have had.
    var tally = SimulatedTally()
    /// When the server was asked to stop.
    private(set) var drainStart: UInt64?
    /// From then on the server may cut what it has not done.
    private(set) var drainEnd = UInt64.max
    /// Those that wait for an answer now; asked when draining starts.
    private var waiting: [ObjectIdentifier: SimulatedConversation] = [:]

    private init(
        _ simulation: Simulation, _ server: HTTPServer, _ configuration: HTTPServer.Configuration,
        _ tls: TLSClient?
    ) {
        self.simulation = simulation
        self.tls = tls
        fileCountBefore = simulation.network.openFileCount
        self.server = server
        self.configuration = configuration
    }

    /// Runs a server and the closure's clients, and then expects that nothing of them is left.
    @discardableResult
    static func run(
        _ simulation: Simulation, files: TemporaryFolder? = nil, tls: TLSClient? = nil,
        configure: @escaping @Sendable (inout HTTPServer.Configuration) -> Void = { _ in },
        _ body: @escaping @concurrent @Sendable (SimulatedWorld) async throws -> Void
    ) async throws(SimulationFailure) -> SimulatedTally {
        let served = WeakServer()
        let tally = try await simulation.run {
            var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 80)])
            configuration.protection = nil
            configuration.log = .none
            if tls != nil {
                configuration.tls = TLSServerConfiguration(identity: SecureTest.localhost)
            }
            configure(&configuration)
            let root = try files.map {
                try RootedDirectory(path: $0.path, system: simulation.files)
            }
            let server = try HTTPServer(
                configuration, router: simulatedRouter(simulation, files: root),
                engine: simulation.engine)
            served.server = server
            let world = SimulatedWorld(simulation, server, configuration, tls)
            let started = world.now
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run() }
                try await body(world)
                if world.drainStart == nil {
                    try await world.expectQuiet()
                    await server.stop(within: .zero)
                }
                try await group.waitForAll()
            }
            try world.expectNothingLeft()
            world.tally.time = (world.drainStart ?? world.now) - started
            return world.tally
        }
        guard served.server == nil else {
            throw simulation.failure("the server outlives all that used it")
        }
        return tally
    }

    /// Connections may end without an answer.
    var mayCut: Bool { isFaulty || drainStart != nil }

    // MARK: Stopping

    func enter(_ conversation: SimulatedConversation) {
        waiting[ObjectIdentifier(conversation)] = conversation
    }

    func leave(_ conversation: SimulatedConversation) {
        waiting[ObjectIdentifier(conversation)] = nil
    }

    /// Stops the server while its clients go on.
    func drain(within duration: Duration) async {
        drainStart = now
        drainEnd = now + UInt64(duration.components.seconds) * 1_000_000_000
        for conversation in waiting.values { conversation.noteDraining() }
        await server.stop(within: duration)
    }

    // MARK: What is left

    /// No client is there any more: the server has to have noticed, without being stopped.
    func expectQuiet() async throws {
        // Longer than it reads on after its last answer, and than the slowest handler.
        try await loop.sleep(until: now + 6_000_000_000)
        let connectionCount = server.connectionCount
        guard connectionCount == 0 else { throw Leak("\(connectionCount) connections") }
        var socketCount = 0
        for loop in simulation.loops { loop.forEachSocket { _ in socketCount += 1 } }
        guard socketCount == server.addresses.count else { throw Leak("\(socketCount) sockets") }
    }

    func expectNothingLeft() throws {
        for loop in simulation.loops {
            loop.forEachSocket { _ in leaks.append("a socket in a loop's table") }
            if loop.wheel.nextTime != nil { leaks.append("a timer") }
        }
        let descriptors = simulation.network.openDescriptors
        if !descriptors.isEmpty { leaks.append("descriptors \(descriptors)") }
        if server.connectionCount != 0 { leaks.append("\(server.connectionCount) connections") }
        let fileCount = simulation.network.openFileCount - fileCountBefore
        if fileCount != 0 { leaks.append("\(fileCount) files") }
        let misuseCount = simulation.network.misuseCount
        if misuseCount != 0 { leaks.append("\(misuseCount) uses of closed descriptors") }
        guard leaks.isEmpty else { throw Leak(leaks.joined(separator: ", ")) }
    }

    private var leaks: [String] = []
    private let fileCountBefore: Int
}

/// Something is left after the last client, or after the server.
struct Leak: Error, CustomStringConvertible {
    var description: String

    init(_ what: String) {
        description = "left: \(what)"
    }
}

/// Sees whether a server is still held when it has ended.
private final class WeakServer: @unchecked Sendable {
    // @unchecked: written in the simulation, read when it is over.

    weak var server: HTTPServer?
}
