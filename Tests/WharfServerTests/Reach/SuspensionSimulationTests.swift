import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

/// A server in an app, in orders that seeds decide, in virtual time.
@Suite struct `A server in an app that is suspended` {
    private static let second: UInt64 = 1_000_000_000

    @Test func `1,000 orders of events: it never listens while suspended, and keeps its port`()
        async throws
    {
        var tally = Tally()
        let first = SimulatedSeeds.first
        let count: UInt64 = SimulatedSeeds.replayed == nil ? 1000 : 1
        for seed in first..<(first + count) {
            do {
                let life = try await Self.life(seed)
                tally += life
            } catch {
                Issue.record("\(error)")
                return
            }
        }
        print("suspension: \(tally)")
        // The orders reach what is to be looked at.
        guard count > 1 else { return }
        #expect(tally.suspendedCount > 1000 && tally.answeredCount > 1000)
        #expect(tally.failedCount > 100 && tally.cutCount > 100)
    }

    /// What has been seen.
    private struct Tally: Sendable, CustomStringConvertible {
        /// Looks at a suspended server, which all found it closed.
        var suspendedCount = 0
        /// Requests that were answered at the port of the start.
        var answeredCount = 0
        /// Times that the port was somebody else's.
        var failedCount = 0
        /// Times that the time was up.
        var cutCount = 0

        static func += (left: inout Tally, right: Tally) {
            left.suspendedCount += right.suspendedCount
            left.answeredCount += right.answeredCount
            left.failedCount += right.failedCount
            left.cutCount += right.cutCount
        }

        var description: String {
            "\(suspendedCount) times suspended, \(answeredCount) answers, "
                + "\(failedCount) times without its port, \(cutCount) times out of time"
        }
    }

    private static func life(_ seed: UInt64) async throws -> Tally {
        let simulation = Simulation(
            seed: seed, filter: "SuspensionSimulationTests", loopCount: seed % 2 == 0 ? 1 : 2)
        let app = SimulatedApp()
        let result = Locked(Tally())
        try await SimulatedWorld.run(simulation) { configuration in
            configuration.addresses = [.loopback(port: 0)]
            configuration.lifecycle = app
            configuration.disconnectedDelay = .seconds(Int(seed % 3))
        } _: { world in
            var life = AppLife(world, app, SeededRandom(seed: seed &* 7919))
            try await life.run()
            result.withLock { tally in
                tally.suspendedCount = life.suspendedCount
                tally.answeredCount = life.answeredCount
                tally.failedCount = life.failedCount
                tally.cutCount = life.cutCount
            }
        }
        return result.withLock { $0 }
    }
}

/// One app's life: what happens to it, and what must be so after each event.
private struct AppLife {
    private let world: SimulatedWorld
    private let app: SimulatedApp
    private var random: SeededRandom
    private let address: SocketAddress
    private var clients: [SimulatedClient] = []
    /// Another program's socket at the server's port.
    private var thief: Int32?
    private(set) var suspendedCount = 0
    private(set) var answeredCount = 0
    private(set) var failedCount = 0
    private(set) var cutCount = 0

    private static let stepCount = 25
    /// Longer than any step of the server's takes.
    private static let moment: UInt64 = 100_000_000
    /// Longer than the pauses between its tries.
    private static let retries: UInt64 = 70_000_000_000

    init(_ world: SimulatedWorld, _ app: SimulatedApp, _ random: SeededRandom) {
        self.world = world
        self.app = app
        self.random = random
        address = world.server.addresses[0]
    }

    mutating func run() async throws {
        for _ in 0..<Self.stepCount {
            try await step()
            // Sometimes the next event comes before the server has dealt with this one.
            if random.isOne(in: 3) { continue }
            try await world.loop.sleep(
                until: world.now + Self.moment + UInt64(random.below(3_000_000_000)))
            try await check()
        }
        giveBack()
        if app.isInBackground { app.send(.enteringForeground) }
        try await world.loop.sleep(until: world.now + Self.retries)
        guard try await ask() else { throw Leak("not listening in the end") }
        for client in clients { client.close() }
        if let mistake = app.mistake { throw Leak(mistake) }
    }

    private mutating func step() async throws {
        switch random.below(9) {
        case 0, 1: app.send(.enteredBackground)
        case 2: app.send(.enteringForeground)
        case 3, 4: try connect()
        case 5:
            if let client = clients.popLast() { client.close() }
        case 6:
            guard app.hasTime else { return }
            app.send(.backgroundTimeIsUp)
            cutCount += 1
        case 7: app.refuseTime(random.isOne(in: 4))
        default: if thief == nil { takePort() } else { giveBack() }
        }
    }

    /// What must be so once the server has had its moment.
    private mutating func check() async throws {
        if let mistake = app.mistake { throw Leak(mistake) }
        if app.isSuspended {
            guard !world.server.isListening else { throw Leak("it listens while suspended") }
            // Another program's socket would take it.
            let other = try? SimulatedClient(connectingTo: address, in: world.simulation)
            other?.close()
            guard other == nil || thief != nil else { throw Leak("a client got in") }
            suspendedCount += 1
        } else if !app.isInBackground, world.server.isListening {
            guard try await ask() else { throw Leak("it seems to listen, and doesn't") }
        }
    }

    /// A client that stays, and may be in the middle of a request.
    private mutating func connect() throws {
        guard thief == nil else { return }
        do throws(Errno) {
            clients.append(try SimulatedClient(connectingTo: address, in: world.simulation))
        } catch {
            guard error == .connectionRefused else { throw error }
        }
    }

    /// Whether a request is answered at the port of the start.
    private mutating func ask() async throws -> Bool {
        let client: SimulatedClient
        do throws(Errno) {
            client = try SimulatedClient(connectingTo: address, in: world.simulation)
        } catch {
            return false
        }
        defer { client.close() }
        try await client.send(
            "GET /inline HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
        var received: [UInt8] = []
        while let more = try await client.receive() { received += more }
        guard received.starts(with: "HTTP/1.1 200".utf8) else { return false }
        answeredCount += 1
        return true
    }

    /// Another program takes the port while it is free.
    private mutating func takePort() {
        guard !world.server.isListening,
            case .success(let socket) =
                world.loop.system.socket(for: address)
        else { return }
        let descriptor = Int32(socket)
        if case .success = world.loop.system.listen(descriptor, at: address, backlog: 0) {
            thief = descriptor
            failedCount += 1
        } else {
            world.loop.system.close(descriptor)
        }
    }

    private mutating func giveBack() {
        if let thief { world.loop.system.close(thief) }
        thief = nil
    }
}
