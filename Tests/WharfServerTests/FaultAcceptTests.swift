import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

struct FaultAcceptTests {
    private static let second: UInt64 = 1_000_000_000

    private static func simulate(
        _ body: @escaping @concurrent @Sendable (SimulatedWorld, FaultPlan) async throws -> Void
    ) async throws {
        let plan = FaultPlan()
        let simulation = Simulation(seed: 5, filter: "FaultAcceptTests", faults: plan)
        try await SimulatedWorld.run(simulation) { world in
            try await world.loop.sleep(until: world.now + 1_000_000)
            try await body(world, plan)
        }
    }

    /// Connects and asks: how long until the answer is there.
    private static func ask(_ world: SimulatedWorld) async throws -> UInt64 {
        let started = world.now
        let talk = try SimulatedConversation(world, SeededRandom(seed: 1))
        defer { talk.client.close() }
        var maker = ExchangeMaker(SeededRandom(seed: 2), prefix: "a")
        let exchange = maker.get("/inline", Array("inline\n".utf8))
        try await talk.client.send(exchange.bytes)
        guard try await talk.expect(exchange, start: 0) else { throw WrongAnswer("not kept") }
        return world.now - started
    }

    @Test(arguments: PlausibleFaults.exhausted + PlausibleFaults.senseless)
    func `when there is nothing to accept with, the server pauses, and goes on later`(
        number: Int32
    ) async throws {
        try await Self.simulate { world, plan in
            plan.arm(.accept, numbers: 1..<(.max), .error(Errno(number)))
            try await withThrowingTaskGroup { group in
                for _ in 0..<5 { group.addTask { _ = try await Self.ask(world) } }
                try await world.loop.sleep(until: world.now + 10 * Self.second)
                // 20 times a second, and not once for each that waits.
                let count = plan.count(of: .accept)
                guard (100...201).contains(count) else { throw WrongAnswer("\(count) calls") }
                plan.disarm()
                let recovered = world.now
                try await group.waitForAll()
                guard world.now - recovered <= 60_000_000 else {
                    throw WrongAnswer("went on after \(world.now - recovered) ns")
                }
            }
        }
    }

    @Test(arguments: PlausibleFaults.lost)
    func `when a connection has died before it was accepted, the next is taken at once`(
        number: Int32
    ) async throws {
        try await Self.simulate { world, plan in
            plan.arm(.accept, numbers: 1..<6, .error(Errno(number)))
            let duration = try await Self.ask(world)
            guard duration < 5_000_000 else { throw WrongAnswer("only after \(duration) ns") }
            guard plan.struckCount == 5 else { throw WrongAnswer("not tried again") }
        }
    }
}
