import Testing
import WharfServer
import WharfWebSocket
import WharfWebSocketCodec

@Suite(.timeLimit(.minutes(1))) struct `Two ends of a WebSocket` {
    @Test(arguments: [Execution.loop, .pool], [true, false])
    func `exchange messages of any length`(place: Execution, isCompressed: Bool) async throws {
        try await withServer {
            $0.webSocket("/ws", on: place, echo)
        } _: { server in
            var options = WebSocketOptions()
            if !isCompressed { options.compression = nil }
            try await withClient(of: server, options) { socket in
                for count in [0, 1, 125, 126, 65_535, 65_536, 1 << 20] {
                    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
                    try await socket.send(bytes)
                    #expect(try await socket.receive() == .binary(bytes))
                    let text = String(repeating: "κ", count: count / 2)
                    try await socket.send(text)
                    #expect(try await socket.receive() == .text(text))
                }
            }
        }
    }

    @Test func `keep the order of many that are under way`() async throws {
        try await withServer {
            $0.webSocket("/ws", on: .loop, echo)
        } _: { server in
            try await withClient(of: server) { socket in
                for round in 0..<20 {
                    for number in 0..<100 { try await socket.send("\(round) \(number)") }
                    for number in 0..<100 {
                        #expect(try await socket.receive() == .text("\(round) \(number)"))
                    }
                }
            }
        }
    }

    @Test func `stream messages, and hold others back meanwhile`() async throws {
        try await withServer { router in
            router.webSocket("/ws") { socket in
                // Each piece goes back as it comes.
                while let first = try await socket.receivePiece() {
                    try await socket.sendStream(first.kind) { writer in
                        var piece = first
                        try await writer.write(piece.bytes)
                        while !piece.isLast {
                            guard let next = try await socket.receivePiece() else { return }
                            try await writer.write(next.bytes)
                            piece = next
                        }
                    }
                }
            }
        } _: { server in
            try await withClient(of: server) { socket in
                let begun = Note(false)
                async let late: Void = {
                    while !begun.value { await Task.yield() }
                    try await socket.send("after")
                }()
                try await socket.sendStream(.binary) { writer in
                    for number in 0..<8 {
                        try await writer.write([UInt8](repeating: UInt8(number), count: 10_000))
                        begun.value = true
                    }
                }
                try await late
                let whole = (0..<8).flatMap { [UInt8](repeating: UInt8($0), count: 10_000) }
                #expect(try await socket.receive() == .binary(whole))
                #expect(try await socket.receive() == .text("after"))
            }
        }
    }

    @Test func `hand over a piece before the message is whole`() async throws {
        try await withServer {
            $0.webSocket("/ws", echo)
        } _: { server in
            try await withClient(of: server) { socket in
                try await socket.sendStream(.text) { writer in
                    try await writer.write(Array("first".utf8))
                    // The echo waits for the whole message.
                }
                #expect(try await socket.receive() == .text("first"))
            }
        }
    }

    @Test func `agree on a subprotocol`() async throws {
        let spoken = Note<String?>(nil)
        var served = WebSocketOptions()
        served.subprotocols = ["chat", "news"]
        try await withServer { router in
            router.webSocket("/ws", options: served) { socket in
                spoken.value = socket.subprotocol
                try await echo(socket)
            }
        } _: { server in
            var options = WebSocketOptions()
            options.subprotocols = ["news"]
            try await withClient(of: server, options) { socket in
                #expect(socket.subprotocol == "news")
                try await socket.send("x")
                _ = try await socket.receive()
            }
            #expect(spoken.value == "news")
            options.subprotocols = ["sport"]
            await #expect(throws: WebSocketHandshakeError.self) {
                try await withClient(of: server, options) { _ in }
            }
        }
    }

    @Test func `let any number of tasks send, and one receive`() async throws {
        try await withServer {
            $0.webSocket("/ws", echo)
        } _: { server in
            try await withClient(of: server) { socket in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            for _ in 0..<50 { try await socket.send([UInt8(number)]) }
                        }
                    }
                    try await group.waitForAll()
                }
                var counts = [Int](repeating: 0, count: 8)
                for _ in 0..<400 {
                    guard case .binary(let bytes)? = try await socket.receive() else { break }
                    counts[Int(bytes[0])] += 1
                }
                #expect(counts == [Int](repeating: 50, count: 8))
                async let first = socket.receive()
                async let second = socket.receive()
                try await socket.send("x")
                var errors: [WebSocketConnectionError.Kind] = []
                do { _ = try await first } catch let error as WebSocketConnectionError {
                    errors.append(error.kind)
                }
                do { _ = try await second } catch let error as WebSocketConnectionError {
                    errors.append(error.kind)
                }
                #expect(errors == [.alreadyInUse])
            }
        }
    }

    @Test func `hold back a sender whose messages nobody takes`() async throws {
        let sent = Note(0)
        let release = Note(false)
        try await withServer { router in
            router.webSocket("/ws") { socket in
                while !release.value { try await Task.sleep(for: .milliseconds(5)) }
                var count = 0
                while count < 100, try await socket.receive() != nil { count += 1 }
                try await socket.send("\(count)")
            }
        } _: { server in
            var options = WebSocketOptions()
            options.compression = nil
            try await withClient(of: server, options) { socket in
                async let sending: Void = {
                    for _ in 0..<100 {
                        try await socket.send([UInt8](repeating: 0, count: 1 << 20))
                        sent.value += 1
                    }
                }()
                // 100 MiB do not fit into the buffers of two sockets and two ends.
                var before = -1
                while before != sent.value {
                    before = sent.value
                    try await Task.sleep(for: .milliseconds(300))
                }
                #expect(sent.value < 50)
                release.value = true
                try await sending
                #expect(try await socket.receive() == .text("100"))
            }
        }
    }

    @Test func `a receive that is cancelled loses nothing`() async throws {
        try await withServer {
            $0.webSocket("/ws", echo)
        } _: { server in
            try await withClient(of: server) { socket in
                let receiving = Task { try await socket.receive() }
                try await Task.sleep(for: .milliseconds(20))
                receiving.cancel()
                await #expect(throws: CancellationError.self) { try await receiving.value }
                try await socket.send("x")
                #expect(try await socket.receive() == .text("x"))
            }
        }
    }
}
