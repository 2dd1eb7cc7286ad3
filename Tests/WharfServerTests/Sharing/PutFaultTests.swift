import TestSupport
import Testing
import WharfNet
import WharfTesting
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `PUT when calls go wrong` {
    @Test(
        arguments: [
            (.allocate, .diskFull, 507), (.allocate, .quotaExceeded, 507),
            (.allocate, .fileTooLarge, 413), (.write, .diskFull, 507),
            (.write, .quotaExceeded, 507), (.write, .fileTooLarge, 413), (.write, .unreadable, 500),
            (.openUnnamed, .readOnlyFileSystem, 403), (.openUnnamed, .accessDenied, 403),
            (.openUnnamed, .notPermitted, 403), (.openUnnamed, .tooManyOpenFiles, 503),
            (.openUnnamed, .diskFull, 507), (.openBeneath, .tooManyOpenFilesInSystem, 503),
            (.openBeneath, .notFound, 409), (.status, .unreadable, 500),
            (.setMode, .notPermitted, 403),
            (.link, .diskFull, 507), (.rename, .accessDenied, 403), (.rename, .unreadable, 500),
        ] as [(SystemCall, Errno, Int)])
    func `tells why, and leaves the old file and nothing else`(
        _ call: SystemCall, _ error: Errno, _ status: Int
    ) async throws {
        let plan = FaultPlan()
        let system = ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan))
        try await WritableFolder.with(system: system) { share async throws in
            try share.folder.write("old", to: "a.txt")
            plan.arm(call, numbers: 1..<100, .error(error))
            let body = String(repeating: "n", count: 600_000)
            let answer = try await share.put("/a.txt", body)
            plan.disarm()
            #expect(answer.status == status)
            #expect(plan.struckCount > 0)
            #expect(try share.text("a.txt") == "old")
            #expect(try share.names() == ["a.txt"])
            #expect(try await share.put("/a.txt", body).status == 204)
        }
    }

    @Test func `of a full disk is told before anything of the body is asked for`() async throws {
        let plan = FaultPlan(.allocate, number: 1, .error(.diskFull))
        let system = ForwardingSystem(FaultingSystem(System.withoutLoop, plan: plan))
        try await WritableFolder.with(system: system) { share async throws in
            let answer = try await share.server.exchange(
                request("PUT /a.txt", ["Content-Length: 600000", "Expect: 100-continue"]))
            #expect(answer.status == 507)
            #expect(try share.names() == [])
        }
    }
}
