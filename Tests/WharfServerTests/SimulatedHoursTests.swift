import TestSupport
import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

struct SimulatedHoursTests {
    private static let span: UInt64 = 1_800_000_000_000
    private static let visitorCount = 120
    /// Some come together: within so many nanoseconds.
    private static let rush = 2_000_000_000

    /// Many clients in half an hour; every third time the server is told to stop in its middle.
    private static func crowd(_ seed: UInt64, _ folder: TemporaryFolder) async throws
        -> (trace: EventTrace, tally: SimulatedTally)
    {
        var random = SeededRandom(seed: seed &* 31)
        let simulation = Simulation(
            seed: seed, filter: "SimulatedHoursTests", loopCount: random.within(1...3))
        let times = (random.within(5...10), random.within(20...60), random.pick([0, 1, 30, 600]))
        let visitors = random.fork()
        let tally = try await SimulatedWorld.run(simulation, files: folder) { configuration in
            configuration.headTimeout = .seconds(times.0)
            configuration.idleTimeout = .seconds(times.1)
            configuration.bodyTimeout = .seconds(times.1)
            configuration.writeTimeout = .seconds(times.1)
        } _: { world in
            try await withThrowingTaskGroup { group in
                var random = visitors
                let began = world.now
                for index in 0..<visitorCount {
                    let start = began + arrival(&random)
                    let (behaviour, own) = (random.pick(SimulatedBehaviour.allCases), random.fork())
                    group.addTask {
                        try await visit(world, behaviour, own, name: "\(index)", at: start)
                    }
                }
                if seed % 3 == 0 {
                    let pause = span / 2 + UInt64(random.below(rush))
                    try await world.loop.sleep(until: began + pause)
                    await world.drain(within: .seconds(times.2))
                }
                try await group.waitForAll()
            }
        }
        return (simulation.network.trace, tally)
    }

    /// When a client comes: at any time, or with a quarter of all in the middle.
    private static func arrival(_ random: inout SeededRandom) -> UInt64 {
        random.isOne(in: 4)
            ? span / 2 + UInt64(random.below(rush)) : UInt64(random.below(Int(span)))
    }

    private static func visit(
        _ world: SimulatedWorld, _ behaviour: SimulatedBehaviour, _ random: SeededRandom,
        name: String, at start: UInt64
    ) async throws {
        try await world.loop.sleep(until: start)
        do {
            var visitor = try SimulatedVisitor(world, random, name: name)
            // Others have their turns too.
            visitor.lateMax = 50_000_000
            try await visitor.visit(behaviour)
        } catch let error as Errno where error == .connectionRefused && world.drainStart != nil {
            return
        } catch {
            world.simulation.noteFailure()
            throw WrongAnswer("client \(name), which \(behaviour): \(error)")
        }
    }

    @Test func `10 virtual hours: every answer is right, limits fire on time, nothing leaks`()
        async throws
    {
        let folder = try ExchangeMaker.folder()
        let hours = SimulatedSeeds.hours
        let started = ContinuousClock.now
        var tally = SimulatedTally()
        var hash: UInt64 = 0
        var seed = SimulatedSeeds.first
        print("simulation: \(hours) hours from seed \(seed) on")
        while tally.hours < Double(hours) {
            do {
                let crowd = try await Self.crowd(seed, folder)
                tally += crowd.tally
                hash = hash &* 31 &+ crowd.trace.hash
            } catch {
                Issue.record("\(error)")
                return
            }
            if SimulatedSeeds.replayed != nil { break }
            seed &+= 1
        }
        print("simulation: \(tally), up to seed \(seed)")
        // The same in every process, on every machine: what happened, and in which order.
        print("simulation: trace \(String(hash, radix: 16)), \(ContinuousClock.now - started)")
    }

    @Test(arguments: [SimulatedSeeds.first, SimulatedSeeds.first &+ 6])
    func `a seed replays`(seed: UInt64) async throws {
        let first = try await Self.crowd(seed, try ExchangeMaker.folder()).trace
        let second = try await Self.crowd(seed, try ExchangeMaker.folder()).trace
        #expect(first.count > 10_000)
        #expect(first == second)
        let other = try await Self.crowd(seed &+ 1, try ExchangeMaker.folder()).trace
        #expect(other.hash != first.hash)
    }
}
