import Testing
@testable import WharfNet

@Suite(.timeLimit(.minutes(1))) struct `A server of secured connections` {
    private static let trustsBoth = TLSClientConfiguration.Trust.certificates([
        TestIdentity.localhost.certificate, TestIdentity.other.certificate,
    ])

    @Test(arguments: [
        ("localhost", "localhost"), ("other.test", "other.test"), ("OTHER.test", "other.test"),
        ("a.wild.test", "other.test"), ("a.b.wild.test", "localhost"), ("wild.test", "localhost"),
        ("nobody.test", "localhost"), ("127.0.0.1", "localhost"),
    ])
    func `shows the identity for the host that is asked for`(host: String, subject: String)
        async throws
    {
        try await TLSStage.run { stage in
            let server = try TLSServer.test([TestIdentity.localhost, TestIdentity.other])
            let client = try TLSClient.test(Self.trustsBoth) { $0.checksHost = false }
            let pair = try await stage.pair(server, client, host: host)
            #expect(try pair.clientEnd.get().peerCertificate?.subject == "CN=\(subject)")
        }
    }

    private static let demands: [(TLSServerConfiguration.ClientCertificates, String)] = [
        (.off, "off"), (.asked([TestIdentity.client.certificate]), "asked"),
        (.required([TestIdentity.client.certificate]), "required"),
    ]

    @Test(
        arguments: [TLSVersion.tls12, .tls13],
        [
            (0, nil, true, false), (0, "right", true, false), (1, nil, true, false),
            (1, "right", true, true), (1, "wrong", false, false), (2, nil, false, false),
            (2, "right", true, true), (2, "wrong", false, false),
        ] as [(Int, String?, Bool, Bool)])
    func `asks clients who they are`(
        version: TLSVersion, example: (demand: Int, shown: String?, isServed: Bool, isKnown: Bool)
    ) async throws {
        let demand = Self.demands[example.demand].0
        try await TLSStage.run { stage in
            let server = try TLSServer.test { $0.clientCertificates = demand }
            let client = try TLSClient.test {
                $0.versionMin = version
                switch example.shown {
                case "right": $0.identity = TestIdentity.client
                case "wrong": $0.identity = TestIdentity.other
                default: break
                }
            }
            let pair = try await stage.pair(server, client)
            switch pair.serverEnd {
            case .success(let session):
                #expect(example.isServed)
                let known = session.peerCertificate
                #expect(known == (example.isKnown ? TestIdentity.client.certificate : nil))
            case .failure(let error):
                #expect(!example.isServed)
                #expect(error.kind == (example.shown == nil ? .handshakeFailed : .notTrusted))
            }
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\n\r\n"])
    func `knows plain HTTP, and hands it back`(text: String) async throws {
        try await TLSStage.run { stage in
            let (server, client) = try await stage.connect()
            try await client.sendAll(Array(text.utf8), patience: TLSStage.patience)
            let ready = try TLSServer.test()
            let end = await TLSStage.end { () async throws(TLSError) in
                try await server.secure(with: ready, until: stage.loop.now + TLSStage.patience)
            }
            #expect(throws: TLSError(.plainHTTP)) { try end.get() }
            #expect(server.dropSecurity() == Array(text.utf8))
            try await server.sendAll(Array("HTTP/1.1 400".utf8), patience: TLSStage.patience)
            server.close()
            let (bytes, _) = await stage.readAll(client)
            #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 400")
        }
    }

    @Test(arguments: [
        [0, 0, 0, 0, 0, 0], [22, 3, 1, 0xFF, 0xFF, 1], [22, 3, 1, 0, 4, 1, 0, 0, 0], [128, 46, 1],
        [21, 3, 3, 0, 2, 2, 40],
    ])
    func `refuses garbage`(bytes: [UInt8]) async throws {
        try await TLSStage.run { stage in
            let (server, client) = try await stage.connect()
            try await client.sendAll(
                bytes + [UInt8](repeating: 1, count: 200), patience: TLSStage.patience)
            let ready = try TLSServer.test()
            let end = await TLSStage.end { () async throws(TLSError) in
                try await server.secure(with: ready, until: stage.loop.now + TLSStage.patience)
            }
            guard case .failure(let error) = end else {
                Issue.record("it was taken for a handshake")
                return
            }
            #expect(error.kind == .handshakeFailed)
            #expect(!error.reason.isEmpty)
            #expect(server.dropSecurity() == [])
        }
    }

    @Test func `gives up on who says nothing`() async throws {
        try await TLSStage.run { stage in
            let (server, client) = try await stage.connect()
            defer { client.close() }
            let ready = try TLSServer.test()
            let end = await TLSStage.end { () async throws(TLSError) in
                try await server.secure(with: ready, until: stage.loop.now + 50_000_000)
            }
            #expect(throws: TLSError(.timedOut)) { try end.get() }
        }
    }

    @Test func `notices who leaves in the middle`() async throws {
        try await TLSStage.run { stage in
            let (server, client) = try await stage.connect()
            try await client.sendAll([22, 3, 1, 2, 0, 1], patience: TLSStage.patience)
            client.close()
            let ready = try TLSServer.test()
            let end = await TLSStage.end { () async throws(TLSError) in
                try await server.secure(with: ready, until: stage.loop.now + TLSStage.patience)
            }
            #expect(throws: TLSError(.disconnected, "the other side has closed it")) {
                try end.get()
            }
        }
    }
}
