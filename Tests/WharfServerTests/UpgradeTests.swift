import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `An upgraded connection` {
    private static let wish = request("GET /", ["Connection: upgrade", "Upgrade: echo"])

    private static func echo(_ stream: UpgradedStream) async throws {
        while let bytes = try await stream.read() { try await stream.write(bytes) }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `gets what was sent ahead first, and echoes both ways`(_ place: Execution) async throws {
        try await withServer { router in
            router.get("/", on: place) { _ in
                .upgrade(to: "echo", fields: [.server: "x"]) { try await Self.echo($0) }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(Self.wish + "GET / ahead")
            let response = try await client.response()
            #expect(response.lines.first == "HTTP/1.1 101 Switching Protocols")
            #expect(response["Upgrade"] == "echo" && response["Connection"] == "upgrade")
            #expect(response["Server"] == "x" && response["Content-Length"] == nil)
            #expect(try await client.receive(count: 11) == Array("GET / ahead".utf8))
            for count in [1, 100, 100_000] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
                try await client.send(bytes)
                #expect(try await client.receive(count: count) == bytes)
            }
            client.finish()
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `is refused to who has not asked for it`() async throws {
        try await withServer { router in
            router.get("/", on: .loop) { _ in .upgrade(to: "echo") { try await Self.echo($0) } }
        } _: { server in
            for bytes in [
                request("GET /"), request("GET /", ["Upgrade: echo"]),
                "GET / HTTP/1.0\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n",
            ] {
                let response = try await server.exchange(bytes)
                #expect(response.status == 500)
            }
        }
    }

    @Test(arguments: [[], ["Expect: 100-continue"]])
    func `begins after the request's body`(_ expectation: [String]) async throws {
        try await withServer { router in
            router.post("/", on: .loop) { _ in .upgrade(to: "echo") { try await Self.echo($0) } }
        } _: { server in
            let client = try await server.connect()
            let fields =
                ["Connection: upgrade", "Upgrade: echo", "Content-Length: 4"] + expectation
            try await client.send(request("POST /", fields))
            if !expectation.isEmpty { #expect(try await client.response().status == 100) }
            try await client.send("bodyahead")
            #expect(try await client.response().status == 101)
            #expect(try await client.receive(count: 5) == Array("ahead".utf8))
        }
    }

    @Test func `can be read with a time limit of the app's own`() async throws {
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .upgrade(to: "echo") { stream in
                    let reading = Task { try await stream.read() }
                    try await stream.write(Array("ready".utf8))
                    reading.cancel()
                    await #expect(throws: CancellationError.self) { try await reading.value }
                    // Nothing is lost by that.
                    try await Self.echo(stream)
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            #expect(try await client.receive(count: 5) == Array("ready".utf8))
            try await client.send("after")
            #expect(try await client.receive(count: 5) == Array("after".utf8))
        }
    }

    @Test func `comes after the answers to what was asked before`() async throws {
        try await withServer { router in
            router.get("/text", .inline { _ in .text("text") })
            router.get("/", on: .loop) { _ in .upgrade(to: "echo") { try await Self.echo($0) } }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /text") + Self.wish + "ahead")
            #expect(try await client.response().text == "text")
            #expect(try await client.response().status == 101)
            #expect(try await client.receive(count: 5) == Array("ahead".utf8))
        }
    }

    @Test func `reads and writes at the same time`() async throws {
        let count = 8 << 20
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .upgrade(to: "both") { stream in
                    async let written: Void = stream.write([UInt8](repeating: 1, count: count))
                    var readCount = 0
                    while readCount < count, let bytes = try await stream.read() {
                        readCount += bytes.count
                    }
                    try await written
                    try await stream.write(Array("\(readCount)".utf8))
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            async let sent: Void = client.send([UInt8](repeating: 2, count: count))
            let received = try await client.receive(count: count)
            try await sent
            #expect(received.allSatisfy { $0 == 1 })
            #expect(try await client.receiveToEnd() == Array("\(count)".utf8))
        }
    }

    @Test func `can say that it writes no more, and go on reading`() async throws {
        let said = Note("")
        let hasEnded = Signal()
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .upgrade(to: "x") { stream in
                    defer { hasEnded.set() }
                    try await stream.write(Array("bye".utf8))
                    try await stream.finishWriting()
                    await #expect(throws: (any Error).self) { try await stream.write([1]) }
                    while let bytes = try await stream.read() {
                        said.value += String(decoding: bytes, as: UTF8.self)
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            #expect(try await client.receiveToEnd() == Array("bye".utf8))
            try await client.send("goodbye")
            client.finish()
            await hasEnded.wait()
            #expect(said.value == "goodbye")
        }
    }

    @Test func `ends when its closure does, and tells why it failed`() async throws {
        struct Fault: Error {}
        try await withServer { router in
            router.get("/", on: .loop) { _ in .upgrade(to: "x") { _ in throw Fault() } }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `throws when the client resets`() async throws {
        let failure = Note<(any Error)?>(nil)
        let hasEnded = Signal()
        try await withServer { router in
            router.get("/", on: .pool) { _ in
                .upgrade(to: "x") { stream in
                    defer { hasEnded.set() }
                    do { try await Self.echo(stream) } catch { failure.value = error }
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            client.reset()
            await hasEnded.wait()
            #expect((failure.value as? HTTPExchangeError)?.kind == .disconnected)
        }
    }

    @Test(arguments: [true, false])
    func `is told once that the server stops`(isReading: Bool) async throws {
        let hasBegun = Signal()
        let mayRead = Signal()
        let kinds = Note<[String]>([])
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .upgrade(to: "x") { stream in
                    hasBegun.set()
                    if !isReading { await mayRead.wait() }
                    for _ in 0..<2 {
                        do {
                            let bytes = try await stream.read()
                            kinds.update { $0.append(bytes == nil ? "end" : "bytes") }
                        } catch let error as HTTPExchangeError {
                            kinds.update { $0.append("\(error.kind)") }
                            try await stream.write(Array("bye".utf8))
                        }
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(Self.wish).status == 101)
            await hasBegun.wait()
            let events = server.server.events()
            async let stopped: Void = server.server.stop(within: .seconds(30))
            for await event in events { if case .stopping = event { break } }
            mayRead.set()
            #expect(try await client.receive(count: 3) == Array("bye".utf8))
            try await client.send("bytes")
            #expect(try await client.receiveToEnd().isEmpty)
            await stopped
            #expect(kinds.value == ["stopping", "bytes"])
        }
    }
}
