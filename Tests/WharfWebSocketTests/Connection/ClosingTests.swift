import Testing
import WharfNet
import WharfServer
import WharfWebSocket
import WharfWebSocketCodec

@Suite(.timeLimit(.minutes(1))) struct `A WebSocket ends` {
    struct Fault: Error {}

    @Test func `with 1000 when the closure returns`() async throws {
        try await withServer {
            $0.webSocket("/ws") { _ in }
        } _: { server in
            try await withClient(of: server) { socket in
                let next = try await socket.receive()
                #expect(next == nil)
                #expect(await socket.closeReceived == WebSocketClose(.normal))
                let error = await #expect(throws: WebSocketConnectionError.self) {
                    try await socket.send("late")
                }
                #expect(error?.kind == .closed)
            }
        }
    }

    @Test func `with 1011 when the closure throws, and never says why`() async throws {
        try await withServer {
            $0.webSocket("/ws") { _ in throw Fault() }
        } _: { server in
            try await withClient(of: server) { socket in
                let next = try await socket.receive()
                #expect(next == nil)
                #expect(await socket.closeReceived == WebSocketClose(.internalError))
            }
        }
    }

    @Test func `with a code and a reason of the program's own`() async throws {
        let said = Note<WebSocketClose?>(nil)
        try await withServer { router in
            router.webSocket("/ws") { socket in
                while try await socket.receive() != nil {}
                said.value = await socket.closeReceived
            }
        } _: { server in
            try await withClient(of: server) { socket in
                try await socket.send("x")
                await socket.close(WebSocketCloseCode(rawValue: 4001), reason: "enough")
                // The code comes back.
                #expect(await socket.closeReceived?.code.rawValue == 4001)
                let next = try await socket.receive()
                #expect(next == nil)
            }
            while said.value == nil { try await Task.sleep(for: .milliseconds(5)) }
            #expect(said.value == WebSocketClose(.init(rawValue: 4001), reason: "enough"))
        }
    }

    @Test(arguments: [1005, 1006, 1015, 999, 2000] as [UInt16])
    func `without a code that can't be sent`(code: UInt16) async throws {
        try await withServer { router in
            router.webSocket("/ws") { await $0.close(WebSocketCloseCode(rawValue: code)) }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                let frame = try await peer.frame()
                #expect(frame?.opcode == .close && frame?.payload == [])
            }
        }
    }

    @Test(arguments: [
        (frame(.text, [0xFF]), 1007), (frame(.binary, key: nil), 1002),
        (frame(.continuation), 1002), (frame(.binary, [0, 0, 0]), 1009),
        (frame(.close, [0x03, 0xED]), 1002),
    ])
    func `with the code of what was broken`(bytes: [UInt8], code: Int) async throws {
        let failure = Note<WebSocketConnectionError.Kind?>(nil)
        var options = WebSocketOptions()
        options.limits.messageMax = 2
        try await withServer { router in
            router.webSocket("/ws", options: options) { socket in
                do { try await echo(socket) } catch let error as WebSocketConnectionError {
                    failure.value = error.kind
                    throw error
                }
            }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                try await peer.send(bytes)
                #expect(try await peer.close() == (code, true))
            }
        }
        guard case .broken(let error)? = failure.value else {
            Issue.record("\(failure.value as Any)")
            return
        }
        #expect(Int(error.code.rawValue) == code)
    }

    @Test func `and echoes a Close, then the connection ends`() async throws {
        try await withServer {
            $0.webSocket("/ws", echo)
        } _: { server in
            for payload in [[], [0x03, 0xE8], [0x0F, 0xA0] + utf8("bye")] {
                try await withSocket(to: server) { socket in
                    let peer = try await RawPeer(socket)
                    try await peer.send(frame(.text, utf8("x")) + frame(.close, payload))
                    #expect(try await peer.frame()?.payload == utf8("x"))
                    let close = try await peer.frame()
                    #expect(close?.opcode == .close && close?.payload == payload)
                    #expect(try await peer.frame() == nil)
                }
            }
        }
    }

    @Test func `and what came before a Close can still be answered, for a while`() async throws {
        var options = WebSocketOptions()
        options.closeTimeout = .milliseconds(200)
        let failure = Note<WebSocketConnectionError.Kind?>(nil)
        try await withServer { router in
            router.webSocket("/ws", options: options) { socket in
                _ = try await socket.receive()
                try await Task.sleep(for: .milliseconds(20))
                try await socket.send("answer")
                do {
                    while true {
                        try await socket.send("again")
                        try await Task.sleep(for: .milliseconds(20))
                    }
                } catch let error as WebSocketConnectionError {
                    failure.value = error.kind
                }
            }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                try await peer.send(frame(.text, utf8("x")) + frame(.close, [0x03, 0xE8]))
                #expect(try await peer.frame()?.payload == utf8("answer"))
                #expect(try await peer.close() == (1000, true))
            }
        }
        #expect(failure.value == .closed)
    }

    @Test func `with an error when the other end just goes`() async throws {
        let failure = Note<WebSocketConnectionError.Kind?>(nil)
        let hasEnded = Note(false)
        try await withServer { router in
            router.webSocket("/ws") { socket in
                defer { hasEnded.value = true }
                do { try await echo(socket) } catch let error as WebSocketConnectionError {
                    failure.value = error.kind
                }
            }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                // The beginning of a message that never ends.
                try await peer.send(frame(.text, utf8("half"), isFinal: false))
            }
            while !hasEnded.value { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(failure.value == .lost)
    }

    @Test func `when the other end does not answer the Close in time`() async throws {
        var options = WebSocketOptions()
        options.closeTimeout = .milliseconds(50)
        let hasEnded = Note(false)
        try await withServer { router in
            router.webSocket("/ws", options: options) { socket in
                await socket.close()
                let error = await #expect(throws: WebSocketConnectionError.self) {
                    try await socket.receive()
                }
                #expect(error?.kind == .timedOut)
                hasEnded.value = true
            }
        } _: { server in
            try await withSocket(to: server) { socket in
                let peer = try await RawPeer(socket)
                #expect(try await peer.frame()?.opcode == .close)
                #expect(try await peer.frame() == nil)
            }
        }
        #expect(hasEnded.value)
    }

    @Test func `with 1001 when the server stops`() async throws {
        try await withServer {
            $0.webSocket("/ws", echo)
        } _: { server in
            try await withClient(of: server) { socket in
                try await socket.send("x")
                #expect(try await socket.receive() == .text("x"))
                async let stopped: Void = server.stop(within: .seconds(20))
                let next = try await socket.receive()
                #expect(next == nil)
                #expect(await socket.closeReceived == WebSocketClose(.goingAway))
                await socket.close()
                await stopped
            }
        }
    }

    @Test func `with 1001 also when nothing is being received`() async throws {
        let isCut = Note(false)
        try await withServer { router in
            router.webSocket("/ws") { socket in
                while !isCut.value { try await Task.sleep(for: .milliseconds(5)) }
            }
        } _: { server in
            try await withClient(of: server) { socket in
                async let stopped: Void = server.stop(within: .seconds(20))
                let next = try await socket.receive()
                #expect(next == nil)
                #expect(await socket.closeReceived?.code == .goingAway)
                isCut.value = true
                await socket.close()
                await stopped
            }
        }
    }

    @Test func `and its socket throws when it is used later`() async throws {
        let kept = Note<WebSocket?>(nil)
        try await withServer {
            $0.webSocket("/ws") { kept.value = $0 }
        } _: { server in
            try await withClient(of: server) { socket in
                let next = try await socket.receive()
                #expect(next == nil)
            }
            let socket = try #require(kept.value)
            while true {
                do {
                    try await socket.send("late")
                } catch let error as WebSocketConnectionError {
                    if error.kind == .ended { break }
                }
            }
            let error = await #expect(throws: WebSocketConnectionError.self) {
                try await socket.receive()
            }
            #expect(error?.kind == .ended)
            await socket.close()
        }
    }

    @Test func `when a stream's closure throws, so that no part looks whole`() async throws {
        try await withServer { router in
            router.webSocket("/ws") { socket in
                try await socket.sendStream(.text) { writer in
                    try await writer.write(utf8("half"))
                    throw Fault()
                }
            }
        } _: { server in
            try await withClient(of: server) { socket in
                let error = await #expect(throws: WebSocketConnectionError.self) {
                    try await socket.receive()
                }
                #expect(error?.kind == .lost)
                #expect(await socket.closeReceived?.code == .internalError)
            }
        }
    }
}
