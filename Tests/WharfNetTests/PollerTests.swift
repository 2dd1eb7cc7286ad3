import Glibc
import Synchronization
import Testing

@testable import WharfNet

/// Two connected sockets, the first of them watched under the token 7.
private final class Pair {
    let system: System
    private(set) var watched: Int32
    private(set) var peer: Int32

    enum Family: CaseIterable {
        case internet, unix
    }

    init(_ kind: PollerKind, _ family: Family = .internet) throws {
        system = try kind.system()
        switch family {
        case .internet: (watched, peer) = try Self.connected(system)
        case .unix:
            var pair: [Int32] = [-1, -1]
            try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            (watched, peer) = (pair[0], pair[1])
            _ = fcntl(watched, F_SETFL, O_NONBLOCK)
        }
        try system.register(watched, token: 7)
        // Both tell at once what is so already.
        #expect(events() == PollEvent(token: 7, isWritable: true))
    }

    deinit {
        closeWatched()
        closePeer()
    }

    private static func connected(_ system: System) throws -> (Int32, Int32) {
        let listener = Int32(try system.socket(for: .loopback(port: 0)).get())
        defer { system.close(listener) }
        _ = try system.listen(listener, at: .loopback(port: 0), backlog: 1).get()
        let address = try #require(system.localAddress(of: listener))
        let peer = Int32(try system.socket(for: address).get())
        _ = system.connect(peer, to: address)
        var from: SocketAddress?
        while true {
            if case .success(let accepted) = system.accept(listener, peer: &from) {
                return (Int32(accepted), peer)
            }
            var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&descriptor, 1, 1000)
        }
    }

    func closeWatched() {
        if watched >= 0 { system.close(watched) }
        watched = -1
    }

    func closePeer() {
        if peer >= 0 { system.close(peer) }
        peer = -1
    }

    func send(_ count: Int, from descriptor: Int32) -> Int {
        let bytes = [UInt8](repeating: 1, count: count)
        return unsafe bytes.withUnsafeBytes {
            (try? unsafe system.send(descriptor, $0, hasMore: false).get()) ?? 0
        }
    }

    func receive(_ count: Int, at descriptor: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe bytes.withUnsafeMutableBytes {
            (try? unsafe system.receive(descriptor, into: $0).get()) ?? 0
        }
    }

    /// What comes within a second, or `nil`; what follows at once is one event with it.
    func events(timeout: UInt64 = 1_000_000_000) -> PollEvent? {
        var all: [PollEvent] = []
        system.wait(into: &all, timeout: timeout)
        guard !all.isEmpty else { return nil }
        var before = 0
        while before != all.count {
            before = all.count
            system.wait(into: &all, timeout: 2_000_000)
        }
        #expect(all.allSatisfy { $0.token == 7 })
        return all.dropFirst().reduce(all.first) { $0?.merged(with: $1) }
    }

    /// What comes until it is as wanted, or until nothing comes.
    func events(until isEnough: (PollEvent) -> Bool) -> PollEvent? {
        var merged: PollEvent?
        while let event = events() {
            merged = merged?.merged(with: event) ?? event
            if let merged, isEnough(merged) { return merged }
        }
        return merged
    }
}

extension PollEvent {
    fileprivate func merged(with other: PollEvent) -> PollEvent {
        PollEvent(
            token: token, isReadable: isReadable || other.isReadable,
            isWritable: isWritable || other.isWritable,
            peerHasFinished: peerHasFinished || other.peerHasFinished,
            isBroken: isBroken || other.isBroken)
    }
}

@Suite struct `A poller` {
    @Test(arguments: PollerKind.allCases, Pair.Family.allCases)
    fileprivate func `tells once that there is something to read`(
        _ kind: PollerKind, _ family: Pair.Family
    ) throws {
        let pair = try Pair(kind, family)
        #expect(pair.send(10, from: pair.peer) == 10)
        #expect(pair.events()?.isReadable == true)
        #expect(pair.events(timeout: 0) == nil)
        #expect(pair.receive(5, at: pair.watched) == 5)
        #expect(pair.events(timeout: 0) == nil, "the rest is no news")
        #expect(pair.send(1, from: pair.peer) == 1)
        let event = try #require(pair.events())
        #expect(event.isReadable && !event.peerHasFinished && !event.isBroken)
    }

    @Test(arguments: PollerKind.allCases, Pair.Family.allCases)
    fileprivate func `tells nothing of what was read before it was asked`(
        _ kind: PollerKind, _ family: Pair.Family
    ) throws {
        let pair = try Pair(kind, family)
        #expect(pair.send(10, from: pair.peer) == 10)
        #expect(pair.receive(10, at: pair.watched) == 10)
        #expect(pair.events(timeout: 2_000_000)?.isReadable != true)
    }

    @Test(arguments: PollerKind.allCases, Pair.Family.allCases)
    fileprivate func `tells when there is room to write again`(
        _ kind: PollerKind, _ family: Pair.Family
    ) throws {
        let pair = try Pair(kind, family)
        var sent = 0
        while case let count = pair.send(65_536, from: pair.watched), count > 0 { sent += count }
        #expect(pair.events(timeout: 2_000_000)?.isReadable != true)
        var received = 0
        var event: PollEvent?
        while received < sent, event?.isWritable != true {
            received += pair.receive(1 << 20, at: pair.peer)
            event = pair.events(timeout: 10_000_000) ?? event
        }
        #expect(event?.isWritable == true)
        #expect(event?.isBroken == false && event?.peerHasFinished == false)
        #expect(pair.send(1, from: pair.watched) == 1)
    }

    @Test(arguments: PollerKind.allCases, Pair.Family.allCases)
    fileprivate func `tells that the peer has finished`(
        _ kind: PollerKind, _ family: Pair.Family
    ) throws {
        let pair = try Pair(kind, family)
        #expect(pair.send(3, from: pair.peer) == 3)
        pair.system.finishSending(pair.peer)
        let event = try #require(pair.events { $0.peerHasFinished })
        #expect(event.isReadable && event.peerHasFinished && !event.isBroken)
        #expect(pair.receive(10, at: pair.watched) == 3)
        #expect(pair.send(10, from: pair.watched) == 10, "the other way still works")
    }

    @Test(arguments: PollerKind.allCases, Pair.Family.allCases)
    fileprivate func `doesn't take this end's FIN for the peer's`(
        _ kind: PollerKind, _ family: Pair.Family
    ) throws {
        let pair = try Pair(kind, family)
        pair.system.finishSending(pair.watched)
        let event = pair.events(timeout: 20_000_000)
        #expect(event?.peerHasFinished != true && event?.isBroken != true)
        #expect(pair.send(3, from: pair.peer) == 3)
        let next = try #require(pair.events { $0.isReadable })
        #expect(next.isReadable && !next.peerHasFinished && !next.isBroken)
        pair.system.finishSending(pair.peer)
        #expect(pair.events { $0.peerHasFinished }?.peerHasFinished == true)
        #expect(pair.receive(10, at: pair.watched) == 3)
    }

    @Test(arguments: PollerKind.allCases)
    func `tells that the connection broke`(_ kind: PollerKind) throws {
        let pair = try Pair(kind)
        pair.system.resetOnClose(pair.peer)
        pair.closePeer()
        #expect(pair.events { $0.isBroken }?.isBroken == true)
    }

    @Test(arguments: PollerKind.allCases)
    func `tells that the connection broke after the peer's FIN`(_ kind: PollerKind) throws {
        let pair = try Pair(kind)
        pair.closePeer()
        #expect(pair.events { $0.peerHasFinished }?.isBroken == false)
        // Nobody is there to read it: RST.
        _ = pair.send(10, from: pair.watched)
        #expect(pair.events { $0.isBroken }?.isBroken == true)
    }

    @Test(arguments: PollerKind.allCases)
    func `tells that a Unix peer is gone`(_ kind: PollerKind) throws {
        let pair = try Pair(kind, .unix)
        pair.closePeer()
        let event = try #require(pair.events { $0.peerHasFinished })
        #expect(event.isReadable && event.peerHasFinished)
    }

    @Test(arguments: PollerKind.allCases)
    func `tells whether connecting worked`(_ kind: PollerKind) throws {
        let system = try kind.system()
        let listener = Int32(try system.socket(for: .loopback(port: 0)).get())
        _ = try system.listen(listener, at: .loopback(port: 0), backlog: 1).get()
        let address = try #require(system.localAddress(of: listener))
        try system.register(listener, token: 1)
        for isRefused in [false, true] {
            if isRefused { system.close(listener) }
            let client = Int32(try system.socket(for: address).get())
            defer { system.close(client) }
            _ = system.connect(client, to: address)
            try system.register(client, token: 2)
            var all: [PollEvent] = []
            var count = -1
            while count != all.count {
                count = all.count
                system.wait(into: &all, timeout: 20_000_000)
            }
            #expect(all.contains { $0.token == 1 && $0.isReadable } == !isRefused)
            #expect(all.contains { $0.token == 2 && $0.isWritable })
            #expect(all.contains { $0.token == 2 && $0.isBroken } == isRefused)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `forgets a socket that is closed`(_ kind: PollerKind) throws {
        let pair = try Pair(kind)
        #expect(pair.send(3, from: pair.peer) == 3)
        pair.closeWatched()
        #expect(pair.events(timeout: 2_000_000) == nil)
    }

    @Test(arguments: PollerKind.allCases)
    func `refuses what is no socket`(_ kind: PollerKind) throws {
        let system = try kind.system()
        #expect(throws: Errno(EBADF)) { try system.register(60_000, token: 1) }
    }

    @Test(
        arguments: PollerKind.allCases, [0, 1, 1000, 1_000_000, 1_000_001, 15_500_000] as [UInt64])
    func `never ends a wait early`(_ kind: PollerKind, _ timeout: UInt64) throws {
        let system = try kind.system()
        var events: [PollEvent] = []
        let start = system.now()
        system.wait(into: &events, timeout: timeout)
        #expect(system.now() >= start + timeout)
        #expect(events.isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `is woken by another thread, and by a wake before the wait`(_ kind: PollerKind) throws {
        let system = try kind.system()
        let isAboutToWait = Flag()
        try Thread.start(name: "waker") {
            while !isAboutToWait.isSet.load(ordering: .acquiring) { sched_yield() }
            system.wake()
        }
        var events: [PollEvent] = []
        isAboutToWait.isSet.store(true, ordering: .releasing)
        system.wait(into: &events, timeout: nil)
        #expect(events.isEmpty)
        for _ in 0..<3 { system.wake() }
        system.wait(into: &events, timeout: nil)
        let start = system.now()
        system.wait(into: &events, timeout: 5_000_000)
        #expect(system.now() >= start + 5_000_000, "three wakes are one")
    }

    @Test(arguments: PollerKind.allCases)
    func `hands out more events than fit into one wait`(_ kind: PollerKind) throws {
        let pairs = try (0..<300).map { _ in try Pair(kind, .unix) }
        let system = try kind.system()
        for (index, pair) in pairs.enumerated() {
            try system.register(pair.watched, token: UInt64(index))
        }
        for pair in pairs { #expect(pair.send(1, from: pair.peer) == 1) }
        var readable = Set<UInt64>()
        var events: [PollEvent] = []
        repeat {
            events.removeAll()
            system.wait(into: &events, timeout: 5_000_000)
            readable.formUnion(events.lazy.filter(\.isReadable).map(\.token))
        } while !events.isEmpty
        #expect(readable.count == 300)
    }
}

private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
}
