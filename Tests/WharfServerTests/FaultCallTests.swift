import TestSupport
import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

@Suite(.enabled(if: isSimulating, "long: run by make simulate")) struct FaultCallTests {
    private static let seed: UInt64 = 1

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, size) in ExchangeMaker.files {
            try folder.write(Array(KnownBytes.of(size)), to: Array(name.utf8))
        }
        return folder
    }

    /// Plays the script while one call goes wrong, then asks once more in peace.
    private static func play(
        _ plan: FaultPlan, _ folder: TemporaryFolder,
        arm: @escaping @Sendable () -> Void = {}
    ) async throws {
        let simulation = Simulation(seed: seed, filter: "FaultCallTests", faults: plan)
        simulation.network.isSmooth = true
        try await SimulatedWorld.run(simulation, files: folder) { world in
            // When time has passed, the listener is watched.
            try await world.loop.sleep(until: world.now + 1_000_000)
            world.isFaulty = true
            arm()
            try await FaultScript.play(world)
            plan.disarm()
            world.isFaulty = false
            let talk = try SimulatedConversation(world, SeededRandom(seed: 3))
            var maker = ExchangeMaker(SeededRandom(seed: 4), prefix: "last")
            guard try await talk.exchange([maker.hello()]) else {
                throw WrongAnswer("the connection is not kept")
            }
            talk.client.close()
        }
    }

    @Test func `the script runs when nothing goes wrong`() async throws {
        #expect(FaultScript.requestCount == 30)
        let plan = FaultPlan()
        let simulation = Simulation(seed: Self.seed, filter: "FaultCallTests", faults: plan)
        try await SimulatedWorld.run(simulation, files: try Self.folder()) { world in
            try await FaultScript.play(world)
        }
        for call in [.accept, .register, .receive, .send, .sendFile, .openBeneath, .status, .read]
            as [SystemCall]
        {
            #expect(plan.count(of: call) > 0, "\(call)")
        }
    }

    @Test(
        arguments: [
            .accept, .register, .receive, .send, .sendFile, .openBeneath, .status, .read,
        ] as [SystemCall])
    func `whichever call fails, answers are whole or cut, and the server goes on`(call: SystemCall)
        async throws
    {
        let folder = try Self.folder()
        for outcome in PlausibleFaults.of(call) {
            var number = 0
            var hasStruck = true
            while hasStruck {
                number += 1
                let plan = FaultPlan()
                let numbers = number..<(number + 1)
                do {
                    try await Self.play(plan, folder) { plan.arm(call, numbers: numbers, outcome) }
                } catch {
                    Issue.record("\(call) \(number) \(outcome): \(error)")
                    return
                }
                hasStruck = plan.struckCount > 0
            }
            #expect(number > 1)
        }
    }

    @Test(arguments: [SystemCall.socket, .listen])
    func `a server that cannot have its address is not made, and leaves nothing`(call: SystemCall)
        async throws
    {
        for outcome in PlausibleFaults.of(call) {
            for number in 1...2 {
                let plan = FaultPlan(call, number: number, outcome)
                let simulation = Simulation(
                    seed: Self.seed, filter: "FaultCallTests", faults: plan)
                try await simulation.run {
                    let addresses = [SocketAddress.loopback(port: 80), .loopback6(port: 80)]
                    var configuration = HTTPServer.Configuration(addresses: addresses)
                    configuration.log = .none
                    do {
                        let server = try HTTPServer(
                            configuration, router: Router(), engine: simulation.engine)
                        // A family that is missing is left out.
                        #expect(server.addresses.count == 1)
                        #expect(
                            outcome == .error(.addressFamilyMissing)
                                || outcome == .error(.addressNotAvailable))
                    } catch let error as Errno {
                        #expect(outcome == .error(error))
                        #expect(simulation.network.openDescriptors == [])
                    }
                }
                #expect(plan.struckCount == 1)
            }
        }
    }
}
