import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The handlers' pool` {
    /// Handlers at `/block` hold their threads until the latch is opened.
    private func withBlockingServer(
        threadMax: Int, queueMax: Int,
        _ body: (TestServer, _ begun: Note<Int>, Latch) async throws -> Void
    ) async throws {
        let mayEnd = Latch()
        let begunCount = Note(0)
        try await withServer {
            $0.poolThreadMax = threadMax
            $0.poolQueueMax = queueMax
        } routes: { router in
            router.get("/block", on: .pool) { _ in
                begunCount.update { $0 += 1 }
                mayEnd.wait()
                return .text("blocked")
            }
            router.get("/pool", on: .pool) { _ in .text("pool") }
            router.get("/loop", on: .loop) { _ in .text("loop") }
            router.get("/inline", .inline { _ in .text("inline") })
        } _: { server in
            defer { mayEnd.open() }
            try await body(server, begunCount, mayEnd)
        }
    }

    private func wait(for count: Int, _ note: Note<Int>) async {
        while note.value < count { await Task.yield() }
    }

    @Test func `that is full is said with 503 and Retry-After`() async throws {
        try await withBlockingServer(threadMax: 2, queueMax: 1) { server, begun, mayEnd in
            var blocked: [WireClient] = []
            for _ in 0..<2 {
                blocked.append(try await server.connect())
                try await blocked[blocked.count - 1].send(request("GET /block"))
            }
            await wait(for: 2, begun)
            // It waits in the queue; the next has no place there.
            let queued = try await server.connect()
            try await queued.send(request("GET /block"))
            #expect(try await server.exchange(request("GET /loop")).text == "loop")
            let client = try await server.connect()
            let refusal = try await client.exchange(request("GET /pool"))
            #expect(refusal.status == 503 && refusal["Retry-After"] == "1")
            #expect(refusal["Connection"] == nil)
            #expect(try await client.exchange(request("GET /inline")).text == "inline")
            #expect(server.log.lines.count == 1)
            mayEnd.open()
            for client in blocked + [queued] {
                #expect(try await client.response().text == "blocked")
            }
            #expect(try await client.exchange(request("GET /pool")).text == "pool")
        }
    }

    @Test func `keeps those that block apart from those that do not`() async throws {
        try await withBlockingServer(threadMax: 8, queueMax: 8) { server, begun, mayEnd in
            var blocked: [WireClient] = []
            for _ in 0..<6 {
                blocked.append(try await server.connect())
                try await blocked[blocked.count - 1].send(request("GET /block"))
            }
            await wait(for: 6, begun)
            let client = try await server.connect()
            for _ in 0..<50 {
                for kind in ["inline", "loop", "pool"] {
                    #expect(try await client.exchange(request("GET /\(kind)")).text == kind)
                }
            }
            mayEnd.open()
            for client in blocked { #expect(try await client.response().text == "blocked") }
        }
    }

    @Test func `has room for others while handlers are suspended`() async throws {
        let mayEnd = Signal()
        try await withServer {
            $0.poolThreadMax = 1
            $0.poolQueueMax = 0
        } routes: { router in
            router.get("/wait", on: .pool) { _ in
                await mayEnd.wait()
                return .text("waited")
            }
            router.get("/pool", on: .pool) { _ in .text("pool") }
        } _: { server in
            var waiting: [WireClient] = []
            for _ in 0..<5 {
                let client = try await server.connect()
                try await client.send(request("GET /wait"))
                waiting.append(client)
                // It is answered when the thread is free again, and that is what one place is for.
                var status: Int? = 503
                while status == 503 {
                    status = try await server.exchange(request("GET /pool")).status
                }
                #expect(status == 200)
            }
            mayEnd.set()
            for client in waiting { #expect(try await client.response().text == "waited") }
        }
    }

    @Test func `does not refuse the stream of a handler that it has run`() async throws {
        let hasBegun = Signal()
        let mayEnd = Latch()
        // More than the kernel takes from a server whose client does not read.
        let ballast = String(repeating: "x", count: 8 << 20)
        try await withServer {
            $0.poolThreadMax = 1
            $0.poolQueueMax = 0
        } routes: { router in
            router.get("/stream", on: .pool) { _ in
                .stream(contentType: ballast) { try await $0.write("streamed") }
            }
            router.get("/block", on: .pool) { _ in
                hasBegun.set()
                mayEnd.wait()
                return .text("blocked")
            }
        } _: { server in
            defer { mayEnd.open() }
            let client = try await server.connect(receiveBufferSize: 64 * 1024)
            try await client.send(request("GET /stream", ["Connection: close"]))
            var received = try await client.receive()
            // The handler has ended, its head is on the way, and somebody else takes its place.
            let other = try await server.connect()
            try await other.send(request("GET /block"))
            await hasBegun.wait()
            async let rest = client.receiveToEnd()
            mayEnd.open()
            received += try await rest
            #expect(received.suffix(18).elementsEqual("8\r\nstreamed\r\n0\r\n\r\n".utf8.suffix(18)))
            #expect(try await other.response().text == "blocked")
        }
    }
}
