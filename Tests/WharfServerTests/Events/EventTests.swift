import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The events of a server` {
    /// What the tests here look at; `nil` for the rest.
    private static func name(_ event: HTTPServer.Event) -> String? {
        switch event {
        case .started: "started"
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .requestEnded(let summary):
            "\(summary.method) \(summary.target) \(summary.status?.code ?? 0) \(summary.byteCount)"
                + (summary.isComplete ? "" : " cut")
        case .stopping: "stopping"
        case .stopped: "stopped"
        default: nil
        }
    }

    private func makeServer() throws -> HTTPServer {
        let router = Router()
        router.get("/", on: .pool) { _ in .text("four") }
        router.on(.get, "/inline", .inline { _ in .text("inline") })
        router.get("/stream", on: .loop) { _ in .stream { try await $0.write("12345") } }
        router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 10)) }
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.protection = nil
        configuration.disconnectedDelay = .zero
        configuration.log = .none
        return try HTTPServer(configuration, router: router)
    }

    @Test func `come in their order, and end`() async throws {
        let server = try makeServer()
        let (events, others) = (server.events(), server.events())
        async let running: Void = server.run()
        var iterator = events.makeAsyncIterator()
        func next() async -> String {
            while let event = await iterator.next(isolation: #isolation) {
                if let name = Self.name(event) { return name }
            }
            return "end"
        }
        #expect(await next() == "started")
        for round in 0..<2 {
            let client = try await WireClient(server.addresses[0])
            let second = try await WireClient(server.addresses[0])
            #expect(await next() == "connected")
            _ = try await client.exchange(request("GET /?\(round)"))
            #expect(await next() == "GET /?\(round) 200 4")
            _ = try await second.exchange(request("HEAD /"))
            #expect(await next() == "HEAD / 200 0")
            // An inline route and one of the router's own answers count no bytes either.
            _ = try await second.exchange(request("HEAD /inline"))
            #expect(await next() == "HEAD /inline 200 0")
            _ = try await second.exchange(request("GET /stream"))
            #expect(await next() == "GET /stream 200 5")
            _ = try await client.exchange(request("GET /none"))
            #expect(await next() == "GET /none 404 14")
            client.close()
            second.close()
            #expect(await next() == "disconnected")
        }
        await server.stop()
        try await running
        #expect(await next() == "stopping")
        #expect(await next() == "stopped")
        #expect(await next() == "end")
        var count = 0
        for await event in others where Self.name(event) != nil { count += 1 }
        #expect(count == 17)
    }

    @Test func `tell of a request that was given up`() async throws {
        let server = try makeServer()
        async let running: Void = server.run()
        var iterator = server.events().makeAsyncIterator()
        let client = try await WireClient(server.addresses[0])
        try await client.send(request("POST /", ["Content-Length: 5"], body: "1"))
        // It reads, as the answer to somebody else on its loop shows.
        _ = try await WireClient(server.addresses[0]).exchange(request("GET /"))
        client.reset()
        var names: [String] = []
        while let event = await iterator.next() {
            if let name = Self.name(event) { names.append(name) }
            if case .requestEnded(let summary) = event, summary.method == .post {
                #expect(summary.duration > .zero)
                #expect(summary.peer.address.isLoopback)
                break
            }
        }
        #expect(names.last == "POST / 0 0 cut")
        await server.stop(within: .zero)
        try await running
    }

    @Test func `are over for who asks too late`() async throws {
        let server = try makeServer()
        async let running: Void = server.run()
        await server.stop()
        try await running
        for await event in server.events() { Issue.record("\(event) after the end") }
    }
}
