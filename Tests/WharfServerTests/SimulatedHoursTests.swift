import TestSupport
import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

@Suite(.enabled(if: isSimulating, "long: run by make simulate")) struct SimulatedHoursTests {
    private static let span: UInt64 = 1_800_000_000_000
    private static let visitorCount = 80

    /// Many clients in half an hour; every third time the server is told to stop in its middle.
    private static func crowd(_ seed: UInt64, _ folder: TemporaryFolder) async throws -> Simulation
    {
        var random = SeededRandom(seed: seed &* 31)
        let simulation = Simulation(
            seed: seed, filter: "SimulatedHoursTests", loopCount: random.within(1...3))
        let times = (random.within(5...10), random.within(20...60), random.pick([0, 1, 30, 600]))
        let visitors = random.fork()
        try await SimulatedWorld.run(simulation, files: folder) { configuration in
            configuration.headTimeout = .seconds(times.0)
            configuration.idleTimeout = .seconds(times.1)
            configuration.bodyTimeout = .seconds(times.1)
            configuration.writeTimeout = .seconds(times.1)
        } _: { world in
            try await withThrowingTaskGroup { group in
                var random = visitors
                for index in 0..<visitorCount {
                    let start = world.now + UInt64(random.below(Int(span)))
                    let (behaviour, own) = (random.pick(SimulatedBehaviour.allCases), random.fork())
                    group.addTask {
                        try await visit(world, behaviour, own, name: "\(index)", at: start)
                    }
                }
                if seed % 3 == 0 {
                    try await world.loop.sleep(until: world.now + span / 2)
                    await world.drain(within: .seconds(times.2))
                }
                try await group.waitForAll()
            }
        }
        return simulation
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
            throw WrongAnswer("client \(name), which \(behaviour): \(error)")
        }
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, size) in ExchangeMaker.files {
            try folder.write(Array(KnownBytes.of(size)), to: Array(name.utf8))
        }
        return folder
    }

    @Test func `10 virtual hours: every answer is right, limits fire on time, nothing leaks`()
        async throws
    {
        let hours = SimulatedSeeds.hours(or: 10)
        let folder = try Self.folder()
        var virtualTime: UInt64 = 0
        for seed in SimulatedSeeds.or((1...UInt64(hours * 3)).map { $0 }) {
            do {
                let simulation = try await Self.crowd(seed, folder)
                virtualTime += simulation.network.now
            } catch {
                Issue.record("\(error)")
                return
            }
        }
        if !SimulatedSeeds.isReplay { #expect(virtualTime >= hours * 3_600 * 1_000_000_000) }
    }

    @Test(arguments: SimulatedSeeds.or([3, 7]))
    func `a seed replays`(seed: UInt64) async throws {
        let folder = try Self.folder()
        let first = try await Self.crowd(seed, folder).network.trace
        let second = try await Self.crowd(seed, folder).network.trace
        #expect(first.count > 10_000)
        #expect(first == second)
        let other = try await Self.crowd(seed + 1, folder).network.trace
        #expect(other.hash != first.hash)
    }
}
