import Testing
import WharfHTTP
import WharfServer
@testable import WharfUploads

@Suite(.timeLimit(.minutes(1))) struct `the gate of an upload` {
    @Test func `lets one in at a time, the newest first`() async throws {
        let gate = UploadGate()
        try await gate.enter("a", .empty)
        #expect(gate.isTaken("a"))
        #expect(!gate.isTaken("b"))
        try await gate.enter("b", .empty)
        gate.leave("b")
        let waiting = Task {
            await Result { () async throws -> String in
                try await gate.enter("a", .empty)
                return "entered"
            }
        }
        // The second is to wait before the third comes.
        while !gate.isWaitedFor("a") { await Task.yield() }
        let newest = Task {
            try await gate.enter("a", .empty)
            gate.leave("a")
        }
        // The third takes the place of the second, which is told so.
        let second = await waiting.value
        #expect(throws: HTTPError.self) { try second.get() }
        gate.leave("a")
        try await newest.value
        #expect(!gate.isTaken("a"))
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
