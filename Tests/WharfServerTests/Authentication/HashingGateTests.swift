import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A gate before slow hashes` {
    private static func waitForWaiters(_ count: Int, at gate: HashingGate) async {
        while gate.waiterCount < count { await Task.yield() }
    }

    @Test func `lets two in, has some wait and refuses more`() async throws {
        let gate = HashingGate()
        let mayEnd = Signal()
        let inside = Note(0)
        let most = Note(0)
        try await withThrowingTaskGroup { group in
            for _ in 0..<(HashingGate.insideMax + HashingGate.waiterMax) {
                group.addTask {
                    try await gate.run {
                        let count = inside.update { count in
                            count += 1
                            return count
                        }
                        most.update { $0 = max($0, count) }
                        await mayEnd.wait()
                        inside.update { $0 -= 1 }
                    }
                }
            }
            await Self.waitForWaiters(HashingGate.waiterMax, at: gate)
            let error = await #expect(throws: HTTPError.self) { try await gate.run {} }
            #expect(error?.status == .serviceUnavailable)
            #expect(error?.fields[.retryAfter] == "1")
            mayEnd.set()
            try await group.waitForAll()
        }
        #expect(most.value == 2)
        #expect(gate.waiterCount == 0)
        #expect(try await gate.run { 7 } == 7)
    }

    @Test func `does nothing for those who have left`() async throws {
        let gate = HashingGate()
        let mayEnd = Signal()
        let inside = Note(0)
        let wasRun = Note(false)
        try await withThrowingTaskGroup { group in
            for _ in 0..<HashingGate.insideMax {
                group.addTask {
                    try await gate.run {
                        inside.update { $0 += 1 }
                        await mayEnd.wait()
                    }
                }
            }
            while inside.value < HashingGate.insideMax { await Task.yield() }
            let leaver = Task {
                try await gate.run { wasRun.value = true }
            }
            await Self.waitForWaiters(1, at: gate)
            leaver.cancel()
            mayEnd.set()
            await #expect(throws: CancellationError.self) { try await leaver.value }
            try await group.waitForAll()
        }
        #expect(!wasRun.value)
        // The places are free again.
        #expect(try await gate.run { 7 } == 7)
    }

    @Test func `gives the place back after an error`() async throws {
        struct Fault: Error {}
        let gate = HashingGate()
        for _ in 0..<10 {
            await #expect(throws: Fault.self) { try await gate.run { throw Fault() } }
        }
        #expect(try await gate.run { 7 } == 7)
    }
}
