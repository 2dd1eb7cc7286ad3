import Testing
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `Having clients` {
    private static func name(_ event: HTTPServer.Event) -> String? {
        switch event {
        case .connected: "connected"
        case .disconnected: "disconnected"
        case .stopping: "stopping"
        case .connectionClosed: "closed"
        default: nil
        }
    }

    @Test func `goes on while they come back soon, and ends when the server does`() async throws {
        var watcher: EventWatcher?
        var connectedCount = 0
        try await withServer {
            $0.disconnectedDelay = .seconds(3600)
        } routes: { _ in
        } _: { server in
            let events = EventWatcher(server.server)
            for _ in 0..<3 {
                let client = try await server.connect()
                _ = try await client.exchange(request("GET /"))
                client.close()
                while let name = await events.next(Self.name), name != "closed" {
                    connectedCount += name == "connected" ? 1 : 0
                }
            }
            watcher = events
        }
        #expect(connectedCount == 1)
        // Nothing was told of the times without a connection.
        #expect(await watcher?.next(Self.name) == "stopping")
        #expect(await watcher?.next(Self.name) == "disconnected")
        #expect(await watcher?.next(Self.name) == nil)
    }

    @Test func `ends some time after the last has left`() async throws {
        try await withServer {
            $0.disconnectedDelay = .milliseconds(20)
        } routes: { _ in
        } _: { server in
            let events = EventWatcher(server.server)
            for _ in 0..<2 {
                let client = try await server.connect()
                #expect(await events.next(Self.name) == "connected")
                client.close()
                #expect(await events.next(Self.name) == "closed")
                #expect(await events.next(Self.name) == "disconnected")
            }
        }
    }

    @Test func `is not over if another has come before it is told`() async {
        let hub = EventHub()
        let connections = ConnectionCounter(max: 10, perAddressMax: 0)
        let state = ConnectedState(delay: 0, hub, connections)
        _ = connections.add(.loopback(port: 1))
        state.noteConnection()
        // The first has been counted out and the second in before either is told.
        state.noteConnection()
        state.noteQuiet(at: 1)
        #expect(connections.remove(.loopback(port: 1)) == 0)
        let events = hub.listen()
        state.noteQuiet(at: 2)
        state.noteQuiet(at: 3)
        hub.finish()
        var names: [String?] = []
        for await event in events { names.append(Self.name(event)) }
        #expect(names == ["disconnected"])
    }
}
