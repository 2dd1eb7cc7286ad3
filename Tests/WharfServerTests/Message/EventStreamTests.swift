import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A stream of events` {
    /// Waits until the task is cancelled.
    @Sendable private static func waitForEver() async throws {
        try await Task.sleep(for: .seconds(3600))
    }

    /// The text of what comes next.
    private func next(_ client: WireClient) async throws -> String {
        String(decoding: try await client.receive(), as: UTF8.self)
    }

    @Test(arguments: [Execution.loop, .pool])
    func `has its head at once, and each event as it happens`(_ place: Execution) async throws {
        let happens = Signal()
        try await withServer { router in
            router.get("/", on: place) { _ in
                .eventStream { events in
                    await happens.wait()
                    try await events.send("a\nb", event: "tick", id: "1")
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            let head = try await next(client)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
            #expect(head.contains("\r\nContent-Type: text/event-stream\r\n"))
            #expect(head.contains("\r\nCache-Control: no-cache\r\n"))
            #expect(head.contains("\r\nX-Accel-Buffering: no\r\n"))
            #expect(client.isQuiet)
            happens.set()
            // The rest of a chunked body, with the head put back before it.
            client.putBack(Array(head.utf8))
            let response = try await client.response()
            #expect(response.text == "event: tick\nid: 1\ndata: a\ndata: b\n\n")
            #expect(try await client.exchange(request("HEAD /")).status == 200)
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `ends in good order when its client has finished`(_ place: Execution) async throws {
        let failure = Note<(any Error)?>(nil)
        let hasEnded = Signal()
        try await withServer { router in
            router.get("/", on: place) { _ in
                .eventStream { events in
                    defer { hasEnded.set() }
                    try await events.send("a")
                    do {
                        try await Self.waitForEver()
                    } catch {
                        failure.value = error
                        throw error
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            var received = try await next(client)
            while !received.contains("data: a") { received += try await next(client) }
            client.finish()
            await hasEnded.wait()
            received += String(decoding: try await client.receiveToEnd(), as: UTF8.self)
            #expect(received.hasSuffix("\r\n0\r\n\r\n"))
            #expect(failure.value is CancellationError)
            #expect(server.log.lines.isEmpty)
        }
    }

    @Test func `ends for a client that had finished before it began`() async throws {
        try await withServer { router in
            router.get("/") { _ in .eventStream { _ in try await Self.waitForEver() } }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            client.finish()
            #expect(try await client.response().body.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `ends when its client leaves, even if it never looks`(_ isReset: Bool) async throws {
        let failure = Note<(any Error)?>(nil)
        let hasEnded = Signal()
        try await withServer { router in
            router.get("/", on: .pool) { _ in
                .eventStream { events in
                    defer { hasEnded.set() }
                    do {
                        while true { try await events.send("a") }
                    } catch {
                        failure.value = error
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            _ = try await client.receive()
            if isReset { client.reset() } else { client.close() }
            await hasEnded.wait()
            #expect(failure.value != nil)
        }
    }

    @Test func `ends when the server is to stop, and doesn't hold it up`() async throws {
        let hasBegun = Signal()
        try await withServer { router in
            router.get("/") { _ in
                .eventStream { events in
                    try await events.send("a")
                    hasBegun.set()
                    try await Self.waitForEver()
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            await hasBegun.wait()
            async let stopped: Void = server.server.stop(within: .seconds(3600))
            #expect(try await client.response().text == "data: a\n\n")
            #expect(try await client.receiveToEnd().isEmpty)
            await stopped
        }
    }

    @Test func `has a comment when it was silent for so long`() async throws {
        try await withServer { router in
            router.get("/") { _ in
                .eventStream(heartbeat: .milliseconds(20)) { _ in try await Self.waitForEver() }
            }
            router.get("/none") { _ in
                .eventStream(heartbeat: nil) { _ in try await Self.waitForEver() }
            }
        } _: { server in
            let (client, silent) = (try await server.connect(), try await server.connect())
            for (client, path) in [(client, "/"), (silent, "/none")] {
                try await client.send(request("GET \(path)"))
                #expect(try await next(client).hasSuffix("\r\n\r\n"))
            }
            for _ in 0..<3 { #expect(try await next(client) == "3\r\n:\n\n\r\n") }
            #expect(silent.isQuiet)
        }
    }

    @Test func `goes on where its client lost it`() async throws {
        try await withServer { router in
            router.get("/") { request in
                .eventStream { try await $0.send("after \(request.lastEventID ?? "none")") }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(request("GET /")).text == "data: after none\n\n")
            let response = try await client.exchange(request("GET /", ["Last-Event-ID: ä7"]))
            #expect(response.text == "data: after ä7\n\n")
        }
    }
}
