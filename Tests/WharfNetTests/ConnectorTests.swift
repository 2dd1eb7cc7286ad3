import TestSupport
import Testing
@testable import WharfNet
import WharfTesting

@Suite(.timeLimit(.minutes(1))) struct `A connector` {
    /// Addresses that nobody on this machine has.
    private static let silent4 = SocketAddress.ipv4(0xC000_0201, port: 80)
    private static let silent6 = SocketAddress.ipv6(
        high: 0x2001_0DB8_0000_0000, low: 1, scope: 0, port: 80)

    private let listener: Listener
    private let closedPort: UInt16

    init() throws {
        let system = try System()
        listener = try Listener(.loopback(port: 0), backlog: 16, system: system)
        let closed = try Listener(.loopback(port: 0), backlog: 16, system: system)
        closedPort = closed.address.port
        closed.close(system)
    }

    private func run(
        names: [String: Result<[SocketAddress], NameLookupError>] = [:],
        silent: Set<SocketAddress> = [], lookUpHangs: Bool = false,
        _ body: (ConnectorStage) async throws -> Void
    ) async throws {
        defer { System.withoutLoop.close(listener.descriptor) }
        let system = try ConnectorSystem(names: names, silent: silent, lookUpHangs: lookUpHangs)
        let leftCount = try await ConnectorStage.run(system, body)
        #expect(leftCount == 0, "sockets are left open")
    }

    @Test func `connects to a numeric address without looking it up`() async throws {
        try await run { stage in
            try await stage.connect(host: "127.0.0.1", port: listener.address.port)
            #expect(stage.system.lookUps.isEmpty)
            #expect(stage.system.attempts == [listener.address])
        }
    }

    @Test func `hands out a socket that moves bytes`() async throws {
        try await run { stage in
            let socket = try await stage.connector.connect(
                to: [listener.address], deadline: stage.deadline(.seconds(10)))
            let received = try await stage.loop.confine { [listener] in
                defer { socket.close() }
                let accepting = try Socket(listener.descriptor, loop: socket.loop)
                defer { accepting.close() }
                var accepted = try accepting.accept()
                while accepted == nil {
                    _ = await accepting.waitReadable(until: .max)
                    accepted = try accepting.accept()
                }
                let other = try Socket(try #require(accepted?.descriptor), loop: socket.loop)
                defer { other.close() }
                try await socket.sendAll(Array("hello".utf8), patience: 1_000_000_000)
                _ = await other.waitReadable(until: .max)
                return other.receive(countMax: 100).1
            }
            #expect(received == Array("hello".utf8))
        }
    }

    @Test func `looks localhost up`() async throws {
        try await run { stage in
            try await stage.connect(host: "localhost", port: listener.address.port)
            #expect(stage.system.lookUps == ["localhost"])
            #expect(stage.system.attempts.contains(listener.address))
        }
    }

    @Test func `throws what refused it`() async throws {
        try await run { stage in
            await #expect(throws: Errno.connectionRefused) {
                try await stage.connect(host: "127.0.0.1", port: closedPort)
            }
        }
    }

    @Test func `throws the error of the attempt that failed last`() async throws {
        let missing = SocketAddress.unix(path: "/nowhere/socket")
        let refused = SocketAddress.loopback(port: closedPort)
        try await run { stage in
            await #expect(throws: Errno.notFound) {
                try await stage.connect(to: [refused, missing])
            }
            await #expect(throws: Errno.connectionRefused) {
                try await stage.connect(to: [missing, refused])
            }
        }
    }

    @Test func `refuses to connect to nothing`() async throws {
        try await run { stage in
            await #expect(throws: Errno.unknownHost) { try await stage.connect(to: []) }
        }
    }

    @Test(arguments: ["no-such-host.invalid", "", "127.0.0.1\0.example", "a..b"])
    func `throws for a name that nobody has`(_ host: String) async throws {
        try await run { stage in
            let error = await #expect(throws: NameLookupError.self) {
                try await stage.connect(host: host, port: 80)
            }
            #expect(error?.host == host)
            #expect(stage.system.attempts.isEmpty)
        }
    }

    @Test func `goes on at once when an attempt fails`() async throws {
        let dead = SocketAddress.ipv6(high: 0, low: 1, scope: 0, port: closedPort)
        try await run(names: ["both": .success([listener.address, dead])]) { stage in
            let before = stage.system.now()
            try await stage.connect(host: "both", port: 80)
            #expect(stage.system.attempts == [dead, listener.address])
            #expect(stage.system.now() - before < 200_000_000)
        }
    }

    @Test func `gives an address that does not answer a head start of 250 ms`() async throws {
        let names = ["both": Result<_, NameLookupError>.success([listener.address, Self.silent6])]
        try await run(names: names, silent: [Self.silent6]) { stage in
            let before = stage.system.now()
            try await stage.connect(host: "both", port: 80)
            #expect(stage.system.attempts == [Self.silent6, listener.address])
            let taken = stage.system.now() - before
            #expect(taken >= 250_000_000 && taken < 2_000_000_000)
        }
    }

    @Test func `tries no more once one has answered`() async throws {
        try await run(silent: [Self.silent4]) { stage in
            try await stage.connect(to: [listener.address, Self.silent4])
            #expect(stage.system.attempts == [listener.address])
        }
    }

    @Test func `lets the families take turns, IPv6 first`() {
        let four = (0..<3).map { SocketAddress.ipv4(UInt32($0), port: 1) }
        let six = (0..<2).map { SocketAddress.ipv6(high: 1, low: $0, scope: 0, port: 1) }
        #expect(
            Connector.alternating(four + six) == [six[0], four[0], six[1], four[1], four[2]])
        #expect(Connector.alternating(six) == six)
        #expect(Connector.alternating(four) == four)
        #expect(Connector.alternating([]) == [])
    }

    @Test func `gives up at its deadline`() async throws {
        try await run(silent: [Self.silent4, Self.silent6]) { stage in
            let before = stage.system.now()
            await #expect(throws: Errno.timedOut) {
                try await stage.connect(
                    to: [Self.silent6, Self.silent4], within: .milliseconds(400))
            }
            let taken = stage.system.now() - before
            #expect(taken >= 400_000_000 && taken < 3_000_000_000)
            #expect(stage.system.attempts == [Self.silent6, Self.silent4])
        }
    }

    @Test func `does not begin after its deadline`() async throws {
        try await run { stage in
            await #expect(throws: Errno.timedOut) {
                try await stage.connect(to: [listener.address], within: .zero)
            }
            #expect(stage.system.attempts.isEmpty)
        }
    }

    @Test func `gives up a look-up at its deadline`() async throws {
        try await run(lookUpHangs: true) { stage in
            await #expect(throws: Errno.timedOut) {
                try await stage.connect(host: "slow", port: 80, within: .milliseconds(50))
            }
            stage.system.lookUpMayEnd.open()
            #expect(stage.system.attempts.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `stops when its task is cancelled`(whileLookingUp isLookingUp: Bool) async throws {
        let names = ["slow": Result<_, NameLookupError>.success([Self.silent4, Self.silent6])]
        try await run(
            names: names, silent: [Self.silent4, Self.silent6], lookUpHangs: isLookingUp
        ) { stage in
            defer { stage.system.lookUpMayEnd.open() }
            let task = Task { try await stage.connect(host: "slow", port: 80) }
            while isLookingUp ? stage.system.lookUps.isEmpty : stage.system.attempts.isEmpty {
                await Task.yield()
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `does not begin in a task that is cancelled`() async throws {
        try await run { stage in
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await stage.connect(to: [listener.address])
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(stage.system.attempts.isEmpty)
        }
    }

    @Test func `connects to a Unix socket`() async throws {
        let folder = try TemporaryFolder()
        let system = try System()
        let local = try Listener(.unix(path: folder.path + "/s"), backlog: 1, system: system)
        defer { local.close(system) }
        try await run { stage in
            try await stage.connect(to: [local.address])
            await #expect(throws: Errno.notFound) {
                try await stage.connect(to: [.unix(path: folder.path + "/other")])
            }
        }
    }
}
