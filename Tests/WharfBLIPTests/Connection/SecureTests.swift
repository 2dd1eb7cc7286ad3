import Testing
import WharfBLIP
import WharfBLIPEngine
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfWebSocket

@Suite(.timeLimit(.minutes(1))) struct `Over TLS` {
    private static let identity = Result {
        try TLSIdentity.selfSigned(hosts: ["localhost", "127.0.0.1"])
    }

    /// Who connects: with the server's certificate as the one that is trusted, or without.
    private static func client(
        _ versions: [BLIPVersion] = [.v3], trusts: Bool = true, identity shown: TLSIdentity? = nil
    ) throws -> BLIPClient {
        var http = HTTPClient.Configuration()
        if trusts { http.tls.trust = .certificates([try identity.get().certificate]) }
        http.tls.identity = shown
        var options = BLIPOptions()
        options.versions = versions
        return try BLIPClient(options: options, http: http)
    }

    private static func withSecureServer(
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("Echo") { BLIPMessage(body: $0.body) }
        let router = Router()
        router.blip("/blip", dispatcher)
        router.webSocket("/ws") { webSocket in
            while let message = try await webSocket.receive() { try await webSocket.send(message) }
        }
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.log = .none
        configuration.tls = TLSServerConfiguration(identity: try identity.get())
        configure(&configuration)
        let server = try HTTPServer(configuration, router: router)
        try await whileRunning({ try await server.run() }) { try await body(server) }
    }

    private static func port(_ server: HTTPServer) -> UInt16 { server.addresses[0].port }

    @Test(arguments: [BLIPVersion.v2, .v3], ["localhost", "127.0.0.1"])
    func `BLIP is spoken`(version: BLIPVersion, host: String) async throws {
        try await Self.withSecureServer { server in
            try await Self.client([version]).withConnection(
                to: "wss://\(host):\(Self.port(server))/blip"
            ) { connection in
                for count in [0, 100, 300_000] {
                    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 >> 3) }
                    let reply = try await connection.send(
                        BLIPMessage(["Profile": "Echo"], body: body))
                    #expect(reply.body == body && reply.error == nil)
                }
            }
        }
    }

    @Test func `a listener of BLIP's own does, too`() async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("Who") { _ in BLIPMessage(body: [7]) }
        var configuration = BLIPListener.Configuration(port: 0)
        configuration.server.log = .none
        configuration.server.tls = TLSServerConfiguration(identity: try Self.identity.get())
        let listener = try BLIPListener(configuration, dispatcher)
        try await whileRunning({ try await listener.run() }) {
            let reply = try await Self.client().withConnection(
                to: "wss://localhost:\(listener.port)/"
            ) { try await $0.send(BLIPMessage(["Profile": "Who"])) }
            #expect(reply.body == [7])
        }
    }

    @Test func `who is not trusted, or speaks plainly, gets no connection`() async throws {
        try await Self.withSecureServer { server in
            let place = "localhost:\(Self.port(server))/blip"
            let stranger = try Self.client(trusts: false)
            let refusal = await #expect(throws: HTTPClientError.self) {
                try await stranger.withConnection(to: "wss://\(place)") { _ in }
            }
            #expect(refusal?.kind == .notSecure)
            let plain = try Self.client()
            await #expect(throws: (any Error).self) {
                try await plain.withConnection(to: "ws://\(place)") { _ in }
            }
        }
    }

    @Test func `clients are known by their certificates`() async throws {
        let visitor = try TLSIdentity.selfSigned(hosts: ["visitor.test"])
        try await Self.withSecureServer({
            $0.tls?.clientCertificates = .required([visitor.certificate])
        }) { server in
            let url = "wss://localhost:\(Self.port(server))/blip"
            let reply = try await Self.client(identity: visitor).withConnection(to: url) {
                try await $0.send(BLIPMessage(["Profile": "Echo"], body: [1]))
            }
            #expect(reply.body == [1])
            let nobody = try Self.client()
            await #expect(throws: (any Error).self) {
                try await nobody.withConnection(to: url) { _ in }
            }
        }
    }

    @Test func `a WebSocket carries messages both ways, and closes`() async throws {
        try await Self.withSecureServer { server in
            let loop = EventLoop(system: try System())
            try loop.start()
            defer { loop.stop() }
            let connector = Connector(loop: loop, pool: BlockingPool(clock: loop.system))
            let trust = TLSClientConfiguration(
                trust: .certificates([try Self.identity.get().certificate]))
            let client = try TLSClient(trust)
            let texts = try await loop.confine {
                let deadline = loop.now &+ 5_000_000_000
                let socket = try await connector.connect(to: server.addresses, deadline: deadline)
                _ = try await socket.secure(with: client, host: "localhost", until: deadline)
                let dial = WebSocketDial(authority: "localhost", path: "/ws")
                return try await dial.run(over: socket) { webSocket in
                    var counts: [Int] = []
                    for text in ["", "häh", String(repeating: "é", count: 200_000)] {
                        try await webSocket.send(.text(text))
                        let echo = try await webSocket.receive()
                        #expect(echo == .text(text))
                        counts.append(text.utf8.count)
                    }
                    return counts
                }
            }
            #expect(texts == [0, 4, 400_000])
        }
    }
}
