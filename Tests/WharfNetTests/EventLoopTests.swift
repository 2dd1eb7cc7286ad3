import TestSupport
import Testing
import WharfTesting

@testable import WharfNet

/// Runs a loop's thread while the closure runs.
private func withLoop<Value: Sendable>(
    _ body: @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
    let loop = EventLoop(system: try System(), name: "test-loop")
    try loop.start()
    defer { loop.stop() }
    return try await body(loop)
}

/// Two connected sockets on a loop.
func connectedSockets(on loop: EventLoop, below folder: TemporaryFolder) throws -> (Socket, Socket)
{
    let address = SocketAddress.unix(path: folder.path + "/s")
    let listener = try Listener(address, backlog: 1, system: loop.system)
    defer { listener.close(loop.system) }
    let descriptor = Int32(try loop.system.socket(for: address).get())
    _ = try loop.system.connect(descriptor, to: address).get()
    let client = try Socket(descriptor, loop: loop)
    var peer: SocketAddress?
    let accepted = try loop.system.accept(listener.descriptor, peer: &peer).get()
    return (client, try Socket(Int32(accepted), loop: loop))
}

/// What only a loop's thread touches.
private final class Confined: @unchecked Sendable {
    var count = 0
}

@Suite struct EventLoopTests {
    @Test func `jobs from all threads run on the loop's thread, one at a time`() async throws {
        try await withLoop { loop in
            let confined = Confined()
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<200 {
                            try await loop.confine {
                                #expect(loop.isCurrent)
                                confined.count += 1
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await loop.confine { confined.count } == 1600)
            #expect(!loop.isCurrent)
        }
    }

    @Test func `what is confined from the loop itself runs in place`() async throws {
        try await withLoop { loop in
            try await loop.confine {
                let inner = try await loop.confine { loop.isCurrent && !loop.hasJobs }
                #expect(inner)
            }
        }
    }

    @Test func `an error goes back to where it was confined from`() async throws {
        try await withLoop { loop in
            _ = await #expect(throws: Errno.notFound) {
                try await loop.confine { throw Errno.notFound }
            }
        }
    }

    @Test func `a sleep ends when its time has come, never before`() async throws {
        try await withLoop { loop in
            try await loop.confine {
                for milliseconds in [0, 1, 5, 20] as [UInt64] {
                    let deadline = loop.system.now() + milliseconds * 1_000_000
                    try await loop.sleep(until: deadline)
                    #expect(loop.system.now() >= deadline)
                }
            }
        }
    }

    @Test func `a sleep that is cancelled ends at once, whoever cancels and when`() async throws {
        try await withLoop { loop in
            for _ in 0..<50 {
                await withTaskGroup { group in
                    group.addTask(executorPreference: loop) {
                        await #expect(throws: CancellationError.self) {
                            try await loop.sleep(until: loop.now + 3_600_000_000_000)
                        }
                    }
                    group.cancelAll()
                }
            }
            let nextTime = try await loop.confine { loop.wheel.nextTime }
            #expect(nextTime == nil)
        }
    }

    @Test func `a wait that is interrupted from another thread ends, and so do later ones`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await withLoop { loop in
            let sockets = try await loop.confine { try connectedSockets(on: loop, below: folder) }
            await withTaskGroup { group in
                group.addTask(executorPreference: loop) {
                    _ = sockets.0.receive(countMax: 1)
                    #expect(await sockets.0.waitReadable(until: .max) == .interrupted)
                    #expect(await sockets.0.waitReadable(until: .max) == .interrupted)
                    sockets.0.close()
                    sockets.1.close()
                }
                loop.interrupt(sockets.0)
            }
        }
    }

    @Test func `a wait for a socket ends with bytes, with time, or because there is another`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await withLoop { loop in
            try await loop.confine {
                let (one, other) = try connectedSockets(on: loop, below: folder)
                _ = one.receive(countMax: 1)
                let deadline = loop.system.now() + 5_000_000
                #expect(await one.waitReadable(until: deadline) == .timedOut)
                #expect(loop.system.now() >= deadline)
                async let first = one.waitReadable(until: .max)
                await loop.yield()
                #expect(await one.waitReadable(until: .max) == .busy)
                try await other.sendAll([1, 2, 3], patience: 1_000_000_000)
                #expect(await first == .ready)
                #expect(one.receive(countMax: 10).1 == [1, 2, 3])
                other.close()
                #expect(await one.waitReadable(until: .max) == .ready)
                guard case .ended = one.receive(countMax: 1).0 else {
                    Issue.record("no end")
                    return
                }
                one.close()
                #expect(await one.waitReadable(until: .max) == .interrupted)
            }
        }
    }

    @Test func `a closed socket leaves neither a timer nor a place in the table`() async throws {
        let folder = try TemporaryFolder()
        try await withLoop { loop in
            try await loop.confine {
                for _ in 0..<10 {
                    let (one, other) = try connectedSockets(on: loop, below: folder)
                    _ = one.receive(countMax: 1)
                    async let wait = one.waitReadable(until: loop.now + 3_600_000_000_000)
                    await loop.yield()
                    one.close()
                    other.reset()
                    #expect(await wait == .interrupted)
                }
                var openCount = 0
                loop.forEachSocket { _ in openCount += 1 }
                #expect(openCount == 0)
                #expect(loop.wheel.nextTime == nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an interrupt that comes after the end leaves nothing`() async throws {
        weak var left: EventLoop?
        do {
            let loop = EventLoop(system: try System(), name: "test-loop")
            left = loop
            try loop.start()
            let folder = try TemporaryFolder()
            let sockets = try await loop.confine {
                let sockets = try connectedSockets(on: loop, below: folder)
                sockets.0.close()
                sockets.1.close()
                return sockets
            }
            loop.stop()
            for _ in 0..<20 { loop.interrupt(sockets.0) }
        }
        // Its thread holds it until it has ended.
        while left != nil { await Task.yield() }
    }

    @Test func `jobs that come after the end are run all the same`() async throws {
        let loop = EventLoop(system: try System(), name: "test-loop")
        try loop.start()
        #expect(try await loop.confine { loop.isCurrent })
        loop.stop()
        for number in 0..<20 {
            #expect(try await loop.confine { loop.isCurrent ? number : -1 } == number)
        }
    }

    @Test func `a driven loop runs what there is, and says whether there is more`() async throws {
        let loop = EventLoop(system: try System())
        let done = Tally()
        try await withThrowingTaskGroup { group in
            group.addTask { _ = try await loop.confine { done.add() } }
            while !loop.hasJobs { await Task.yield() }
            while done.value == 0 { loop.turn(mayWait: false) }
            try await group.waitForAll()
        }
        #expect(!loop.hasJobs)
    }

    @Test func `a job that holds the loop for too long is told of`() async throws {
        let told = Tally()
        let isTold = Latch()
        let loop = EventLoop(system: try System(), name: "test-loop")
        loop.onStall = { nanoseconds in
            told.raise(to: Int(nanoseconds))
            isTold.open()
        }
        try loop.start()
        defer { loop.stop() }
        try await loop.confine {
            let end = loop.system.now() + 60_000_000
            while loop.system.now() < end {}
        }
        isTold.wait()
        #expect(told.value >= 60_000_000)
    }
}
