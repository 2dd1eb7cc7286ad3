import Testing
import WharfServer
import WharfWebSocketCodec

@testable import WharfWebSocket

@Suite(.timeLimit(.minutes(1))) struct `A heartbeat` {
    private static func options(_ interval: Duration?, _ timeout: Duration) -> WebSocketOptions {
        var options = WebSocketOptions()
        options.heartbeatInterval = interval
        options.heartbeatTimeout = timeout
        return options
    }

    @Test func `pings who is silent, and gives up who stays so`() {
        var beat = WebSocketHeartbeat(Self.options(.nanoseconds(100), .nanoseconds(20)), now: 0)
        #expect(beat.look(99) == .wait(until: 100))
        beat.note(50)
        #expect(beat.look(100) == .wait(until: 150))
        #expect(beat.look(150) == .ping(until: 170))
        #expect(beat.look(169) == .wait(until: 170))
        beat.note(169)
        #expect(beat.look(170) == .wait(until: 269))
        #expect(beat.look(270) == .ping(until: 290))
        #expect(beat.look(290) == .giveUp)
    }

    @Test func `waits for a Close only so long, whatever comes`() {
        var options = Self.options(.nanoseconds(100), .nanoseconds(20))
        options.closeTimeout = .nanoseconds(30)
        var beat = WebSocketHeartbeat(options, now: 0)
        #expect(beat.beginClosing(10) == 40)
        beat.note(39)
        #expect(beat.beginClosing(39) == 40)
        #expect(beat.look(39) == .wait(until: 40))
        #expect(beat.look(40) == .giveUp)
    }

    @Test func `answers a Close after half of that time`() {
        var options = Self.options(.nanoseconds(100), .nanoseconds(20))
        options.closeTimeout = .nanoseconds(30)
        var beat = WebSocketHeartbeat(options, now: 0)
        #expect(beat.beginOwing(10) == 25)
        #expect(beat.look(24) == .wait(until: 25))
        #expect(beat.look(25) == .answerClose)
    }

    @Test func `need not be`() {
        var beat = WebSocketHeartbeat(Self.options(nil, .zero), now: 0)
        #expect(beat.look(1 << 62) == .wait(until: .max))
    }

    @Test func `keeps a connection on which nothing is said`() async throws {
        let options = Self.options(.milliseconds(20), .seconds(10))
        try await withServer {
            $0.webSocket("/ws", options: options, echo)
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                for _ in 0..<3 {
                    let ping = try await peer.frame()
                    #expect(ping?.opcode == .ping)
                    try await peer.send(frame(.pong, ping?.payload ?? []))
                }
                try await peer.send(frame(.text, utf8("alive")))
                var next = try await peer.frame()
                while next?.opcode == .ping { next = try await peer.frame() }
                #expect(next?.payload == utf8("alive"))
            }
        }
    }

    @Test func `ends one whose other end is gone`() async throws {
        let failure = Note<WebSocketConnectionError.Kind?>(nil)
        let options = Self.options(.milliseconds(20), .milliseconds(40))
        try await withServer { router in
            router.webSocket("/ws", options: options) { socket in
                do { try await echo(socket) } catch let error as WebSocketConnectionError {
                    failure.value = error.kind
                }
            }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                #expect(try await peer.frame()?.opcode == .ping)
                #expect(try await peer.frame() == nil)
            }
        }
        #expect(failure.value == .timedOut)
    }

    @Test func `pings are answered, even inside of a message and while nobody receives`()
        async throws
    {
        let mayEnd = Note(false)
        try await withServer { router in
            router.webSocket("/ws") { _ in
                while !mayEnd.value { try await Task.sleep(for: .milliseconds(5)) }
            }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                try await peer.send(
                    frame(.text, utf8("a"), isFinal: false) + frame(.ping, [1, 2]))
                let pong = try await peer.frame()
                #expect(pong?.opcode == .pong && pong?.payload == [1, 2])
                mayEnd.value = true
                #expect(try await peer.close().code == 1000)
            }
        }
    }
}
