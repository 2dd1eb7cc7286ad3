import Testing
import WharfHTTP
@testable import WharfServer

/// Every operation that touches a connection, from everywhere; what counts is that the thread
/// sanitizer finds nothing.
@Suite(.timeLimit(.minutes(2))) struct `What touches a connection works` {
    private static let parts = (0..<4).map { String(repeating: "\($0)", count: 1 << ($0 * 5)) }
    private static let whole = parts.joined()

    private static func routes(_ router: Router, _ caller: Caller, _ place: Execution) {
        router.post("/next", on: place) { request in
            var all: [UInt8] = []
            while let piece = try await caller.run({
                var iterator = request.body.makeAsyncIterator()
                return try await iterator.next()
            }) { all += piece }
            return .bytes(all)
        }
        router.post("/collect", on: place) { request in
            .bytes(try await caller.run { try await request.body.collect(upTo: 1 << 20) })
        }
        router.get("/stream", on: place) { _ in
            .stream { writer in
                for part in parts {
                    try await caller.run { try await writer.write(part) }
                    try await caller.run { try await writer.write(Array("|".utf8)) }
                }
            }
        }
        // The answer begins while the body still comes, so that every read has to wait.
        router.post("/both", on: place) { request in
            .stream { writer in
                while let piece = try await caller.run({
                    var iterator = request.body.makeAsyncIterator()
                    return try await iterator.next()
                }) { try await caller.run { try await writer.write(piece) } }
            }
        }
        router.get("/upgrade", on: place) { _ in
            .upgrade(to: "echo") { stream in
                while let bytes = try await caller.run({ try await stream.read() }) {
                    try await caller.run { try await stream.write(bytes) }
                }
                try await caller.run { try await stream.finishWriting() }
            }
        }
    }

    @Test(arguments: Caller.allCases, [Execution.loop, .pool])
    func `from everywhere`(_ caller: Caller, _ place: Execution) async throws {
        try await withServer {
            $0.loopCount = 2
        } routes: { router in
            Self.routes(router, caller, place)
        } _: { server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 { group.addTask { try await Self.converse(server) } }
                try await group.waitForAll()
            }
        }
    }

    private static func converse(_ server: TestServer) async throws {
        let client = try await server.connect()
        for path in ["/next", "/collect"] {
            try await client.send(request("POST \(path)", ["Content-Length: \(whole.utf8.count)"]))
            for part in parts { try await client.send(part) }
            #expect(try await client.response().text == whole, "\(path)")
        }
        let stream = try await client.exchange(request("GET /stream"))
        #expect(stream.text == parts.joined(separator: "|") + "|")
        try await echo(on: client)
        let wish = request("GET /upgrade", ["Connection: upgrade", "Upgrade: echo"])
        #expect(try await client.exchange(wish).status == 101)
        for part in parts {
            try await client.send(part)
            #expect(try await client.receive(count: part.utf8.count) == Array(part.utf8))
        }
        client.finish()
        #expect(try await client.receiveToEnd().isEmpty)
    }

    private static func echo(on client: WireClient) async throws {
        try await client.send(request("POST /both", ["Content-Length: 40"]))
        var received = ""
        while !received.contains("\r\n\r\n") {
            received += String(decoding: try await client.receive(), as: UTF8.self)
        }
        for number in 10..<30 {
            try await client.send("\(number)")
            while !received.contains("2\r\n\(number)\r\n") {
                received += String(decoding: try await client.receive(), as: UTF8.self)
            }
        }
        // The end may have come with the last piece.
        while !received.hasSuffix("\r\n0\r\n\r\n") {
            received += String(decoding: try await client.receive(), as: UTF8.self)
        }
    }
}
