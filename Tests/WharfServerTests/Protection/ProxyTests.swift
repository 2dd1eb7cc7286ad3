import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `What a proxy says of its client` {
    struct Case: Sendable, CustomTestStringConvertible {
        let fields: [String]
        /// Client, scheme and authority; the client `-` is the proxy itself.
        let found: String
        var testDescription: String { fields.joined(separator: " | ") }

        init(_ found: String, _ fields: String...) {
            self.fields = fields
            self.found = found
        }
    }

    static let none = "- http inner"

    private func found(
        _ fields: [String], from peer: String = "10.0.0.1",
        source: TrustedProxies.Source = .either, trusts: [String] = ["10.0.0.0/8", "fd00::/8"]
    ) throws -> String {
        var configuration = HTTPServer.Configuration(port: 0)
        configuration.trustedProxies = TrustedProxies(
            trusts.compactMap { AddressRange($0) }, source: source)
        let address = try #require(SocketAddress(numeric: peer, port: 7))
        let lines = (["GET / HTTP/1.1", "Host: inner"] + fields).map { $0 + "\r\n" }.joined()
        let request = try Request.parsed(
            lines + "\r\n", from: address, configuration: configuration)
        let client = request.clientAddress == address ? "-" : "\(request.clientAddress)"
        return "\(client) \(request.scheme) \(request.authority ?? "?")"
    }

    @Test(arguments: [
        Case("192.0.2.1:0 https a.example", "Forwarded: for=192.0.2.1;proto=https;host=a.example"),
        Case("192.0.2.1:0 http inner", "Forwarded: For=192.0.2.1"),
        Case(
            "[2001:db8::1]:4711 http a.example:81",
            "forwarded: host=\"a.example:81\";for=\"[2001:db8::1]:4711\""),
        // The walk ends at the first address that nobody vouches for.
        Case(
            "192.0.2.9:0 http b", "Forwarded: for=192.0.2.1;host=a, for=192.0.2.9;host=b",
            "Forwarded: for=10.0.0.2;host=c"),
        Case("192.0.2.9:0 http inner", "Forwarded: for=10.9.9.9, for=192.0.2.9,for=10.0.0.2"),
        Case("10.0.0.2:0 http inner", "Forwarded: for=192.0.2.1, for=unknown, for=10.0.0.2"),
        Case("- http a.example", "Forwarded: for=_hidden;host=a.example"),
        Case("- https inner", "Forwarded: proto=HTTPS"),
        Case("192.0.2.1:0 http inner", "Forwarded: for=192.0.2.1;proto=gopher;host=\"a b\""),
        Case(none, "Forwarded: for=192.0.2.1;for=192.0.2.2"), Case(none, "Forwarded: for"),
        Case(none, "Forwarded: for=[2001:db8::1]"), Case(none, "Forwarded: for=\"192.0.2.1"),
        Case(none, "Forwarded: for=192.0.2.1!?"),
        Case(
            "192.0.2.1:0 https a.example",
            "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https",
            "X-Forwarded-Host: a.example"),
        Case("[2001:db8::1]:0 http inner", "X-Forwarded-For: 2001:db8::1 , fd00::7"),
        Case(
            "192.0.2.9:81 http inner", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.9:81"
        ),
        // What replaces the list speaks of the client, what appends of each hop.
        Case(
            "192.0.2.1:0 https inner", "X-Forwarded-For: 192.0.2.1, 10.0.0.2",
            "X-Forwarded-Proto: https"),
        Case(
            "192.0.2.1:0 https inner", "X-Forwarded-For: 192.0.2.1, 10.0.0.2",
            "X-Forwarded-Proto: http, https, http"),
        Case("- https a.example", "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example"),
        Case("- http inner", "X-Forwarded-For: me", "X-Forwarded-Host: a/b"),
        Case("- http inner", "X-Forwarded-For: ,"),
        // One of them may be the client's own.
        Case(none, "Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1"),
        Case(none),
    ])
    func `is understood`(_ one: Case) throws {
        #expect(try found(one.fields) == one.found)
    }

    @Test(arguments: ["11.0.0.1", "127.0.0.1", "2001:db8::1"])
    func `is not heard from others`(_ peer: String) throws {
        for fields in ["Forwarded: for=192.0.2.1;proto=https;host=a", "X-Forwarded-For: 192.0.2.1"]
        {
            #expect(try found([fields], from: peer) == Self.none)
            #expect(try found([fields], trusts: []) == Self.none)
        }
    }

    @Test func `may be said in one way alone`() throws {
        let fields = ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.2"]
        #expect(try found(fields, source: .forwarded) == "192.0.2.1:0 http inner")
        #expect(try found(fields, source: .xForwarded) == "192.0.2.2:0 http inner")
        #expect(try found([fields[1]], source: .forwarded) == Self.none)
        #expect(try found([fields[0]], source: .xForwarded) == Self.none)
    }

    @Test func `is in the log`() async throws {
        let log = LogRecorder()
        try await withServer {
            $0.log = log.log(.info)
            $0.trustedProxies = TrustedProxies([AddressRange(.loopback(port: 0))])
        } routes: { router in
            router.get("/who", on: .loop) { .text($0.clientAddress.host) }
            router.get("/fault", on: .loop) { _ in throw HTTPError(.conflict, reason: "no") }
        } _: { server in
            let fields = ["X-Forwarded-For: 192.0.2.1"]
            #expect(try await server.exchange(request("GET /who", fields)).text == "192.0.2.1")
            _ = try await server.exchange(request("GET /fault", fields))
        }
        #expect(log.lines(.info).allSatisfy { $0.hasPrefix("192.0.2.1:0 GET ") })
        #expect(log.lines(.info).count == 2)
        #expect(log.lines(.notice) == ["192.0.2.1:0: GET /fault: 409: no"])
    }

    @Test func `decides what Host and Origin are compared with`() async throws {
        try await withServer {
            $0.protection = Protection(hosts: ["a.example"])
            $0.trustedProxies = TrustedProxies([AddressRange(.loopback(port: 0))])
        } routes: { router in
            router.on(nil, "/", .inline { _ in .text("ok") })
        } _: { server in
            func status(_ method: String, _ fields: String...) async throws -> Int {
                try await server.exchange(request("\(method) /", fields)).status
            }
            // The proxy asks for `test`, its name for this server.
            let named = try await status("GET", "X-Forwarded-Host: a.example")
            #expect(named == 200)
            #expect(try await status("GET", "X-Forwarded-Host: evil.example") == 421)
            #expect(try await status("GET") == 421)
            let host = "X-Forwarded-Host: a.example"
            #expect(try await status("POST", host, "Origin: https://a.example") == 200)
            #expect(try await status("POST", host, "Origin: https://test") == 403)
        }
    }

    @Test func `does not count against its address`() throws {
        let proxies = TrustedProxies(["10.0.0.0/8"].compactMap { AddressRange($0) })
        let counter = ConnectionCounter(max: 100, perAddressMax: 1, proxies: proxies)
        let proxy = SocketAddress.ipv4(0x0A00_0001, port: 1)
        let other = SocketAddress.ipv4(0x0B00_0001, port: 1)
        #expect(counter.add(proxy) == 1 && counter.add(proxy) == 2)
        #expect(counter.add(other) == 3 && counter.add(other) == nil)
        #expect(counter.remove(proxy) == 2 && counter.remove(other) == 1)
        #expect(counter.add(other) == 2)
    }
}
