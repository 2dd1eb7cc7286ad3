import Synchronization
import Testing

@testable import WharfNet

/// A number that several threads count with.
final class Tally: Sendable {
    private let atomic = Atomic(0)

    var value: Int { atomic.load(ordering: .relaxed) }

    @discardableResult
    func add(_ count: Int = 1) -> Int { atomic.add(count, ordering: .relaxed).newValue }

    func raise(to count: Int) { atomic.max(count, ordering: .relaxed) }
}

@Suite struct PoolTests {
    @Test func `threads that are blocked do not hold others up`() async throws {
        let pool = BlockingPool(clock: .withoutLoop, threadCountMax: 9)
        let gate = Latch()
        let blockedCount = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try await pool.run {
                        blockedCount.add()
                        gate.wait()
                    }
                }
            }
            // It gets a thread although those that there are may all be blocked.
            for number in 0..<20 {
                #expect(try await pool.run { number * 2 } == number * 2)
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(blockedCount.value == 8)
        #expect(pool.threadCount <= 9)
    }

    @Test func `there is no thread before there is work, and none without need`() async throws {
        let pool = BlockingPool(clock: .withoutLoop, threadCountMax: 64)
        #expect(pool.threadCount == 0)
        for _ in 0..<100 { try await pool.run {} }
        // One after the other: an idle thread takes the next, or has not got there yet.
        #expect((1...8).contains(pool.threadCount))
    }

    @Test func `no more threads run than are allowed`() async throws {
        let pool = BlockingPool(clock: .withoutLoop, threadCountMax: 2)
        let running = Tally()
        let most = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await pool.run {
                        most.raise(to: running.add())
                        running.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...2).contains(most.value))
        #expect(pool.threadCount <= 2)
    }

    @Test func `a thread that is idle for too long ends, and another comes when needed`()
        async throws
    {
        let pool = BlockingPool(clock: .withoutLoop, idleSeconds: 0)
        for _ in 0..<3 {
            #expect(try await pool.run { 7 } == 7)
            while pool.threadCount > 0 { await Task.yield() }
        }
    }

    @Test func `what may wait for a thread is bounded`() async throws {
        let pool = BlockingPool(
            clock: .withoutLoop, threadCountMax: 2, queueMax: 3, isDriven: true)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 { group.addTask { try await pool.runIfRoom { 1 } != nil } }
            // Nothing has run yet, so this is the one that found no room.
            let first = try await group.next()
            #expect(first == false)
            let refused = try await pool.runIfRoom { 1 }
            #expect(refused == nil)
            let done = Tally()
            group.addTask {
                while done.value < 5 { if !pool.turn() { await Task.yield() } }
                return true
            }
            for _ in 0..<5 {
                let hasRun = try await group.next()
                #expect(hasRun == true)
                done.add()
            }
            try await group.waitForAll()
        }
    }

    @Test func `a driven pool has no threads: its turns run one job each`() async throws {
        let pool = BlockingPool(clock: .withoutLoop, isDriven: true)
        let done = Tally()
        #expect(!pool.turn())
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask { _ = try await pool.run { done.add() } }
            }
            group.addTask {
                while done.value < 3 {
                    if !pool.turn() { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
        #expect(pool.threadCount == 0)
        #expect(!pool.hasJobs)
    }

    @Test func `an error of the work is thrown on`() async throws {
        let pool = BlockingPool(clock: .withoutLoop)
        await #expect(throws: Errno.notFound) { try await pool.run { throw Errno.notFound } }
    }
}
