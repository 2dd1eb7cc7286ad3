import TestSupport
import Testing
import WharfHTTP
import WharfNet

@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A server with TLS` {
    private static let closing = "Host: localhost\r\nConnection: close\r\n\r\n"

    private func withSecureServer(
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
        routes: (Router) -> Void = { _ in }, _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withServer(
            {
                $0.tls = TLSServerConfiguration(identity: SecureTest.localhost)
                configure(&$0)
            },
            routes: { router in
                router.get(
                    "/",
                    .inline { request in
                        let version = request.tls?.version.description ?? "none"
                        return .text("\(request.scheme) \(request.isSecure) \(version)")
                    })
                router.get("/who") { request in
                    .text(request.clientCertificate?.subject ?? "nobody")
                }
                router.post("/echo") { request in
                    .bytes(try await request.body.collect(upTo: 10_000_000), contentType: "a/b")
                }
                routes(router)
            }, body)
    }

    @Test func `answers, and says so to handlers`() async throws {
        try await withSecureServer { test in
            let client = try await SecureClient(test.address, SecureTest.client())
            for _ in 0..<3 {
                try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let answer = try await client.read(through: "TLS 1.3")
                #expect(answer.hasSuffix("\r\n\r\nhttps true TLS 1.3"))
            }
            #expect(test.server.secureAddresses == [test.address])
        }
    }

    @Test func `takes and gives bodies of any size`() async throws {
        try await withSecureServer { test in
            let client = try await SecureClient(test.address, SecureTest.client())
            let body = String(repeating: "0123456789abcdef", count: 200_000)
            async let sent: Void = client.send(
                "POST /echo HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\(Self.closing)\(body)"
            )
            let answer = try await client.readAll()
            try await sent
            #expect(answer.suffix(body.utf8.count) == Array(body.utf8)[...])
        }
    }

    @Test func `sends files, and ends with a farewell`() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
        try folder.write(bytes, to: Array("big".utf8))
        try await withSecureServer(routes: { router in
            router.mount("/files", try! DirectoryHandler(folder: folder.path))
        }) { test in
            let client = try await SecureClient(test.address, SecureTest.client())
            // HTTP/1.0: the end of the connection is that of the answer.
            try await client.send("GET /files/big HTTP/1.0\r\n\r\n")
            let answer = try await client.readAll()
            #expect(answer.suffix(bytes.count) == bytes[...])
        }
    }

    @Test func `tells plain HTTP that it is at the wrong port`() async throws {
        try await withSecureServer { test in
            let answer = try await test.exchange("GET / HTTP/1.1\r\n" + Self.closing)
            #expect(answer.status == 400)
            #expect(answer.text.contains("https://"))
            #expect(test.log.lines.contains { $0.contains("plain HTTP on a port for TLS") })
        }
    }

    @Test(
        arguments: [
            (
                "GET /a?b=%20c HTTP/1.1\r\nHost: localhost:8443\r\n\r\n", 308,
                "https://localhost:8443/a?b=%20c"
            ),
            ("GET / HTTP/1.0\r\n\r\n", 400, nil),
            ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, nil),
            ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400, nil),
            ("GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", 400, nil),
        ] as [(String, Int, String?)])
    func `sends plain HTTP to https if it is told to`(request: String, status: Int, place: String?)
        async throws
    {
        try await withSecureServer({ $0.redirectsPlainHTTP = true }) { test in
            let answer = try await test.exchange(request)
            #expect(answer.status == status)
            #expect(answer["Location"] == place)
        }
    }

    @Test(arguments: [
        ("Host: evil.example", "GET / HTTP/1.1"),
        ("Host: localhost", "GET http://evil.example/ HTTP/1.1"),
        ("Host: evil.example:443", "GET / HTTP/1.0"),
    ])
    func `repeats to plain HTTP no name but its own`(host: String, line: String) async throws {
        try await withSecureServer({
            $0.redirectsPlainHTTP = true
            $0.protection = Protection(hosts: ["good.example"])
        }) { test in
            let refused = try await test.exchange("\(line)\r\n\(host)\r\n\r\n")
            #expect(refused.status == 421)
            #expect(refused["Location"] == nil && !refused.text.contains("evil"))
            let sent = try await test.exchange("GET / HTTP/1.1\r\nHost: good.example\r\n\r\n")
            #expect(sent["Location"] == "https://good.example/")
        }
    }

    @Test func `keeps cookies to TLS, unless they say otherwise`() async throws {
        func addRoutes(_ router: Router) {
            router.get("/cookies") { _ in
                try Response.text("set").setting(SetCookie("a", "1"))
                    .setting(SetCookie("b", "2", isSecure: false))
                    .setting(SetCookie("c", "3", isSecure: true, isHTTPOnly: false))
            }
        }
        let usual = "Path=/; HttpOnly; SameSite=Lax"
        let others = ["b=2; \(usual)", "c=3; Path=/; Secure; SameSite=Lax"]
        try await withSecureServer(
            {
                $0.plainAddresses = [.loopback(port: 0)]
                $0.trustedProxies = TrustedProxies([AddressRange("127.0.0.0/8")!])
            }, routes: addRoutes
        ) { test in
            let line = "GET /cookies HTTP/1.1\r\n"
            let client = try await SecureClient(test.address, SecureTest.client())
            try await client.send(line + Self.closing)
            let answer = String(decoding: try await client.readAll(), as: UTF8.self)
            let secured = ["a=1; \(usual); Secure"] + others
            #expect(answer.hasCookies(secured))
            let plain = try await WireClient(test.server.addresses[1]).exchange(line + Self.closing)
            #expect(plain["Set-Cookie"] == (["a=1; \(usual)"] + others).joined(separator: "|"))
            let behind = try await WireClient(test.server.addresses[1])
                .exchange(
                    line + "X-Forwarded-Proto: https\r\nX-Forwarded-For: 10.0.0.1\r\n"
                        + Self.closing)
            #expect(behind["Set-Cookie"] == secured.joined(separator: "|"))
        }
    }

    @Test func `speaks plain HTTP elsewhere at the same time`() async throws {
        try await withSecureServer({ $0.plainAddresses = [.loopback(port: 0)] }) { test in
            #expect(test.server.addresses.count == 2)
            #expect(test.server.secureAddresses == [test.address])
            let answer = try await WireClient(test.server.addresses[1])
                .exchange("GET / HTTP/1.1\r\n" + Self.closing)
            #expect(answer.text == "http false none")
            _ = try await SecureClient(test.address, SecureTest.client())
        }
    }

    @Test func `knows clients by their certificates`() async throws {
        let roots = [SecureTest.visitor.certificate]
        try await withSecureServer({ $0.tls?.clientCertificates = .required(roots) }) { test in
            let client = try await SecureClient(
                test.address, SecureTest.client { $0.identity = SecureTest.visitor })
            try await client.send("GET /who HTTP/1.1\r\n" + Self.closing)
            let answer = String(decoding: try await client.readAll(), as: UTF8.self)
            #expect(answer.hasSuffix("\r\n\r\nCN=visitor.test"))
            // In TLS 1.3 a client learns that it is refused when it reads.
            await #expect(throws: (any Error).self) {
                let stranger = try await SecureClient(test.address, SecureTest.client())
                _ = try await stranger.readAll()
            }
            #expect(test.log.lines.contains { $0.contains("not secured: the handshake failed") })
        }
    }

    @Test func `shows other identities from one moment to the next`() async throws {
        try await withSecureServer { test in
            let client = try SecureTest.client { $0.resumesSessions = false }
            let before = try await SecureClient(test.address, client)
            try test.server.reload([SecureTest.renewed])
            let after = try await SecureClient(test.address, client)
            #expect(before.session.peerCertificate == SecureTest.localhost.certificate)
            #expect(after.session.peerCertificate == SecureTest.renewed.certificate)
            #expect(throws: TLSError.self) { try test.server.reload([]) }
            try await before.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try await before.read(through: "TLS 1.3")
            #expect(answer.contains(" 200 OK"))
        }
    }

    @Test func `can't be reloaded or made without TLS or an identity`() async throws {
        try await withServer(routes: { _ in }) { test in
            _ = #expect(throws: TLSError.self) { try test.server.reload([SecureTest.localhost]) }
        }
        var configuration = HTTPServer.Configuration(port: 0)
        configuration.tls = TLSServerConfiguration(identities: [])
        #expect(throws: TLSError.self) { try HTTPServer(configuration, router: Router()) }
    }

    @Test func `closes handshakes that take too long, and serves others meanwhile`() async throws {
        try await withSecureServer({ $0.tls?.handshakeTimeout = .milliseconds(100) }) { test in
            let silent = try await test.connect()
            let slow = try await test.connect()
            try await slow.send("\u{16}\u{3}\u{1}")
            _ = try await SecureClient(test.address, SecureTest.client())
            let silence = try await silent.receiveToEnd()
            #expect(silence == [])
            let rest = try await slow.receiveToEnd()
            #expect(rest == [])
        }
    }

    @Test func `ends handshakes when it is stopped`() async throws {
        try await withSecureServer { test in
            let silent = try await test.connect()
            _ = try await SecureClient(test.address, SecureTest.client())
            await test.server.stop(within: .zero)
            let silence = try await silent.receiveToEnd()
            #expect(silence == [])
        }
    }
}

extension String {
    /// Whether a head sets these cookies, in this order, and no others.
    fileprivate func hasCookies(_ lines: [String]) -> Bool {
        split(separator: "\r\n").filter { $0.hasPrefix("Set-Cookie: ") }.map { $0.dropFirst(12) }
            == lines.map { $0[...] }
    }
}
