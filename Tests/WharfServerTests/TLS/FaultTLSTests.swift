import TestSupport
import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

/// The same script as without TLS, of handshakes, sessions that are resumed, requests, files, an
/// upgrade and farewells.
struct FaultTLSTests {
    private static let calls: [SystemCall] = [
        .accept, .register, .receive, .send, .openBeneath, .status, .read, .openStream, .nextName,
    ]

    /// Each way to go wrong that TLS can tell from another: an error, a pause, a single byte.
    private static func outcomes(of call: SystemCall) -> [FaultPlan.Outcome] {
        let all = PlausibleFaults.of(call)
        return Array(all.filter { !$0.isHarmless }.prefix(1)) + all.filter(\.isHarmless)
    }

    @Test func `the script runs over TLS when nothing goes wrong`() async throws {
        let plan = FaultPlan()
        let folder = try ExchangeMaker.folder()
        let tls = try SecureTest.client()
        let simulation = FaultCallTests.simulation(plan, filter: "FaultTLSTests")
        let tally = try await SimulatedWorld.run(simulation, files: folder, tls: tls) { world in
            try await FaultScript.play(world)
        }
        #expect(tally.answerCount == FaultScript.requestCount && tally.cutCount == 0)
        for call in Self.calls { #expect(plan.count(of: call) > 0, "\(call)") }
        // What is encrypted can't be sent from a file.
        #expect(plan.count(of: .sendFile) == 0)
    }

    @Test(arguments: calls)
    func `whichever call fails under TLS, answers are whole or cut, and nothing is left`(
        call: SystemCall
    ) async throws {
        let folder = try ExchangeMaker.folder()
        var faultCount = 0
        for outcome in Self.outcomes(of: call) {
            var number = 0
            var hasStruck = true
            while hasStruck {
                number += 1
                let plan = FaultPlan()
                do {
                    // A client of its own each time: the first connection shakes hands in full.
                    let tls = try SecureTest.client()
                    try await FaultCallTests.play(call, number, outcome, plan, folder, over: tls)
                } catch {
                    Issue.record("\(call) \(number) \(outcome): \(error)")
                    return
                }
                hasStruck = plan.struckCount > 0
            }
            #expect(number > 1)
            faultCount += number - 1
        }
        print("faults under TLS: \(call) failed \(faultCount) times")
    }
}
