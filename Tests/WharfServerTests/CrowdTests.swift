import Testing
import WharfHTTP
@testable import WharfServer

/// What changes when most places are taken.
@Suite(.timeLimit(.minutes(1))) struct `A crowded server` {
    private static func routes(_ router: Router) {
        router.get("/", .inline { _ in .text("ok") })
        router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 1000)) }
        router.get("/large", on: .loop) { _ in .bytes([UInt8](repeating: 7, count: 32 << 20)) }
    }

    @Test func `lets idle connections go sooner`() async throws {
        try await withServer(
            {
                $0.connectionMax = 5
                $0.crowdedIdleTimeout = .milliseconds(50)
            }, routes: Self.routes
        ) { server in
            var clients: [WireClient] = []
            for _ in 0..<4 {
                let client = try await server.connect()
                #expect(try await client.exchange(request("GET /")).status == 200)
                clients.append(client)
            }
            let last = try await server.connect()
            #expect(try await last.exchange(request("GET /")).status == 200)
            #expect(try await last.receiveToEnd().isEmpty)
            // Those that came before the crowd keep their time.
            for client in clients {
                #expect(try await client.exchange(request("GET /")).status == 200)
            }
        }
    }

    @Test(arguments: [(connectionMax: 1, status: 408), (connectionMax: 100, status: 200)])
    func `has no time for a body that trickles in`(_ connectionMax: Int, _ status: Int) async throws
    {
        try await withServer(
            {
                $0.connectionMax = connectionMax
                $0.rateMin = 1_000_000
                $0.rateWindow = .milliseconds(100)
            }, routes: Self.routes
        ) { server in
            let client = try await server.connect()
            try await client.send(request("POST /", ["Content-Length: 40"]))
            for _ in 0..<40 {
                try await client.send("x")
                if try await client.waitForInput(milliseconds: 10) { break }
            }
            let response = try await client.response()
            #expect(response.status == status)
            #expect((response["Connection"] == "close") == (status == 408))
        }
    }

    @Test(arguments: [(connectionMax: 1, isCut: true), (connectionMax: 100, isCut: false)])
    func `cuts an answer that is hardly taken`(_ connectionMax: Int, _ isCut: Bool) async throws {
        try await withServer(
            {
                $0.connectionMax = connectionMax
                $0.rateMin = 1 << 40
                $0.rateWindow = .milliseconds(100)
            }, routes: Self.routes
        ) { server in
            let client = try await server.connect(receiveBufferSize: 4096)
            let other = try await WireClient(server.address)
            try await client.send(request("GET /large", ["Connection: close"]))
            // Nothing is taken for several windows.
            #expect(try await !other.waitForInput(milliseconds: 400))
            #expect(try await (client.receiveUntilCut().count < 32 << 20) == isCut)
        }
    }
}
