import TestSupport
import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

struct FaultCallTests {
    private static let calls: [SystemCall] = [
        .accept, .register, .receive, .send, .sendFile, .openBeneath, .status, .read, .openStream,
        .nextName,
    ]

    static func simulation(_ plan: FaultPlan, filter: String = "FaultCallTests") -> Simulation {
        Simulation(seed: SimulatedSeeds.first, filter: filter, faults: plan)
    }

    /// Plays the script while a call goes wrong, then asks once more in peace.
    static func play(
        _ call: SystemCall, _ number: Int, _ outcome: FaultPlan.Outcome, _ plan: FaultPlan,
        _ folder: TemporaryFolder, over tls: TLSClient? = nil
    ) async throws {
        let simulation = simulation(plan, filter: tls == nil ? "FaultCallTests" : "FaultTLSTests")
        // The same number of calls whatever the seed is, and not thousands of them.
        simulation.network.isSmooth = true
        simulation.network.bufferSizes = [64 * 1024]
        try await SimulatedWorld.run(simulation, files: folder, tls: tls) { world in
            // When time has passed, the listener is watched.
            try await world.loop.sleep(until: world.now + 1_000_000)
            // What cannot be accepted now is accepted later: clients see nothing of it.
            world.isFaulty = !outcome.isHarmless && call != .accept
            plan.arm(call, numbers: number..<(number + 1), outcome)
            try await FaultScript.play(world)
            guard world.tally.cutCount <= 1 else {
                throw WrongAnswer("one fault has spoilt \(world.tally.cutCount) answers")
            }
            plan.disarm()
            world.isFaulty = false
            let talk = try await SimulatedConversation.open(world, SeededRandom(seed: 3))
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
        let folder = try ExchangeMaker.folder()
        let tally = try await SimulatedWorld.run(Self.simulation(plan), files: folder) { world in
            try await FaultScript.play(world)
        }
        #expect(tally.answerCount == FaultScript.requestCount && tally.cutCount == 0)
        for call in Self.calls { #expect(plan.count(of: call) > 0, "\(call)") }
    }

    @Test(arguments: calls)
    func `whichever call fails, answers are whole or cut, and the server goes on`(call: SystemCall)
        async throws
    {
        let folder = try ExchangeMaker.folder()
        var faultCount = 0
        for outcome in PlausibleFaults.of(call) {
            var number = 0
            var hasStruck = true
            while hasStruck {
                number += 1
                let plan = FaultPlan()
                do {
                    try await Self.play(call, number, outcome, plan, folder)
                } catch {
                    Issue.record("\(call) \(number) \(outcome): \(error)")
                    return
                }
                hasStruck = plan.struckCount > 0
            }
            #expect(number > 1)
            faultCount += number - 1
        }
        print("faults: \(call) failed \(faultCount) times")
    }

    @Test(arguments: [SystemCall.socket, .listen])
    func `a server that cannot have its address is not made, and leaves nothing`(call: SystemCall)
        async throws
    {
        for outcome in PlausibleFaults.of(call) {
            for number in 1...2 {
                let plan = FaultPlan(call, number: number, outcome)
                let simulation = Self.simulation(plan)
                try await simulation.run {
                    let addresses = [SocketAddress.loopback(port: 80), .loopback6(port: 80)]
                    var configuration = HTTPServer.Configuration(addresses: addresses)
                    configuration.protection = nil
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
