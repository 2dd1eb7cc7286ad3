import Testing
@testable import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A heartbeat` {
    @Test func `is part of a compressed stream, and comes only after a silence`() async throws {
        let maySend = Signal()
        try await withServer { router in
            router.get("/") { _ in
                Response.eventStream(heartbeat: .milliseconds(20)) { events in
                    await maySend.wait()
                    try await events.send("last")
                }.compressed()
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /", ["Accept-Encoding: gzip"]))
            var received = try await client.receive()
            while received.count < 400 { received += try await client.receive() }
            maySend.set()
            client.putBack(received)
            let response = try await client.response()
            let text = try `A compressed answer`.inflated(response.body, .gzip)
            #expect(text.hasSuffix("data: last\n\n"))
            let comments = text.dropLast("data: last\n\n".count)
            #expect(comments.count >= 6 && comments.replacing(":\n\n", with: "").isEmpty)
        }
    }
}
