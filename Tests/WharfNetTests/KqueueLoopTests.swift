import Glibc
import Testing

@testable import WharfNet

/// The event loop and its sockets do the same over both pollers.
@Suite struct `An event loop over either poller` {
    /// Two connected sockets, each on a running loop of its own.
    private struct Fixture {
        let near: EventLoop
        let far: EventLoop

        init(_ kind: PollerKind) throws {
            near = EventLoop(system: try kind.system(), name: "near")
            far = EventLoop(system: try kind.system(), name: "far")
            try near.start()
            try far.start()
        }

        func stop() {
            near.stop()
            far.stop()
        }

        /// Runs one closure at each end of a connection, on the loops.
        func connect<Near: Sendable, Far: Sendable>(
            _ atNear: @Sendable @escaping @concurrent (Socket) async throws -> Near,
            _ atFar: @Sendable @escaping @concurrent (Socket) async throws -> Far
        ) async throws -> (Near, Far) {
            let system = near.system
            let listener = Int32(try system.socket(for: .loopback(port: 0)).get())
            _ = try system.listen(listener, at: .loopback(port: 0), backlog: 1).get()
            let address = try #require(system.localAddress(of: listener))
            async let nearEnd = near.confine { [near] in
                let listening = try Socket(listener, loop: near)
                defer { listening.close() }
                // A socket counts as ready until a call has found that it isn't.
                var accepted = try listening.accept()
                while accepted == nil {
                    _ = await listening.waitReadable(until: .max)
                    accepted = try listening.accept()
                }
                let socket = try Socket(#require(accepted).descriptor, loop: near)
                defer { socket.close() }
                return try await atNear(socket)
            }
            async let farEnd = far.confine { [far] in
                let client = Int32(try far.system.socket(for: address).get())
                _ = far.system.connect(client, to: address)
                let socket = try Socket(client, loop: far)
                socket.noteConnecting()
                try await socket.expectWritable(patience: 5_000_000_000)
                defer { socket.close() }
                return try await atFar(socket)
            }
            return try await (nearEnd, farEnd)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `moves a megabyte each way`(_ kind: PollerKind) async throws {
        let fixture = try Fixture(kind)
        defer { fixture.stop() }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let (count, echo) = try await fixture.connect { near in
            var count = 0
            while true {
                let (step, piece) = near.receive(countMax: 10_000)
                switch step {
                case .bytes(let received):
                    count += received
                    try await near.sendAll(piece, patience: 5_000_000_000)
                case .wouldBlock: _ = await near.waitReadable(until: .max)
                case .ended: return count
                case .failed(let error): throw error
                }
            }
        } _: { far in
            var echo: [UInt8] = []
            var sent = 0
            while echo.count < bytes.count {
                if sent < bytes.count { sent += try far.send(bytes, from: sent) ?? 0 }
                let (step, piece) = far.receive(countMax: 100_000)
                echo += piece
                if case .wouldBlock = step {
                    _ = await far.waitReadable(until: far.loop.now + 1_000_000)
                }
                if case .failed(let error) = step { throw error }
            }
            far.finishSending()
            return echo
        }
        #expect(count == bytes.count)
        #expect(echo == bytes)
    }

    @Test(arguments: PollerKind.allCases)
    func `ends a wait at its deadline`(_ kind: PollerKind) async throws {
        let fixture = try Fixture(kind)
        defer { fixture.stop() }
        let (readiness, _) = try await fixture.connect { near in
            // The first call finds that nothing is there.
            _ = near.receive(countMax: 1)
            let deadline = near.loop.now + 30_000_000
            let readiness = await near.waitReadable(until: deadline)
            #expect(near.loop.now >= deadline)
            near.finishSending()
            return readiness
        } _: { far in
            while case (.wouldBlock, _) = far.receive(countMax: 1) {
                _ = await far.waitReadable(until: .max)
            }
        }
        #expect(readiness == .timedOut)
    }

    @Test(arguments: PollerKind.allCases, [true, false])
    func `tells a FIN from a RST`(_ kind: PollerKind, _ isReset: Bool) async throws {
        let fixture = try Fixture(kind)
        defer { fixture.stop() }
        let (ending, _) = try await fixture.connect { near in
            while case (.wouldBlock, _) = near.receive(countMax: 1) {
                _ = await near.waitReadable(until: .max)
            }
            return [near.peerHasFinished || near.isBroken, near.isBroken]
        } _: { far in
            if isReset { far.reset() } else { far.finishSending() }
            guard !isReset else { return }
            while case (.wouldBlock, _) = far.receive(countMax: 1) {
                _ = await far.waitReadable(until: .max)
            }
        }
        #expect(ending == [true, isReset])
    }

    @Test(arguments: PollerKind.allCases)
    func `cancels what runs for a client that is gone`(_ kind: PollerKind) async throws {
        let fixture = try Fixture(kind)
        defer { fixture.stop() }
        let (wasCancelled, _) = try await fixture.connect { near in
            near.rememberTask()
            near.cancelsTask = true
            defer { near.cancelsTask = false }
            do {
                try await near.loop.sleep(until: near.loop.now + 10_000_000_000)
                return false
            } catch {
                return true
            }
        } _: { far in
            far.reset()
        }
        #expect(wasCancelled)
    }

    @Test(arguments: PollerKind.allCases)
    func `lets another thread interrupt a wait`(_ kind: PollerKind) async throws {
        let fixture = try Fixture(kind)
        defer { fixture.stop() }
        let (readiness, _) = try await fixture.connect { near in
            _ = near.receive(countMax: 1)
            let loop = near.loop
            try Thread.start(name: "interrupter") { loop.interrupt(near) }
            return await near.waitReadable(until: .max)
        } _: { _ in
        }
        #expect(readiness != .timedOut)
    }
}
