import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A server's counters` {
    @Test func `count what it has done`() async throws {
        try await withServer { router in
            router.get("/", .inline { _ in .text("ok") })
            router.get("/moved", on: .loop) { _ in .redirect(to: "/") }
            router.get("/fault", on: .pool) { _ in throw HTTPError(.internalServerError) }
            router.get("/stream", on: .loop) { _ in
                .stream { try await $0.write([UInt8](repeating: 1, count: 100_000)) }
            }
            router.get("/up", on: .loop) { _ in
                .upgrade(to: "x") { try await $0.write(Array("end".utf8)) }
            }
        } _: { server in
            #expect(server.server.counters == HTTPServer.Counters())
            let client = try await server.connect()
            var received = 0
            for path in ["/", "/", "/moved", "/none", "/fault", "/stream"] {
                let response = try await client.exchange(request("GET \(path)"))
                received += response.body.count
            }
            #expect(server.server.counters.connectionCount == 1)
            let watcher = EventWatcher(server.server)
            _ = try await server.exchange("no request\r\n\r\n")
            let upgraded = try await server.connect()
            try await upgraded.send(request("GET /up", ["Connection: upgrade", "Upgrade: x"]))
            _ = try await upgraded.receiveToEnd()
            upgraded.close()
            for _ in 0..<2 { #expect(await watcher.nextClosed() != nil) }
            let counters = server.server.counters
            #expect(counters.acceptedConnectionCount == 3)
            #expect(counters.refusedConnectionCount == 0)
            #expect(counters.requestCount == 7 && counters.refusedRequestCount == 1)
            #expect(counters.informationalCount == 1 && counters.successfulCount == 3)
            #expect(counters.redirectionCount == 1 && counters.clientErrorCount == 2)
            #expect(counters.serverErrorCount == 1)
            #expect(counters.sentByteCount > received)
            #expect(counters.receivedByteCount > 7 * 20 && counters.receivedByteCount < 10_000)
        }
    }
}
