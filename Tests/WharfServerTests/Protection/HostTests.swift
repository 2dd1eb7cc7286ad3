import Testing
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The host that a request names` {
    /// `nil` as what may be said of it: 200 or 421.
    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.1:1", true), ("192.0.2.7:8080", true), ("[::1]:80", true),
        ("[2001:db8::1]", true), ("localhost", true), ("LocalHost:8080", true),
        ("localhost.", true), ("app.localhost", true), ("a.b.localhost:1", true),
        ("shelf", true), ("Shelf:1", true), ("shelf.example.org", true), ("shelf.local", true),
        ("named.example.org", true), ("named.example.org.:80", true), ("x.wild.example", true),
        ("x.y.wild.example", true),
        ("evil.example", false), ("evil.example:8080", false), ("localhost.evil.example", false),
        ("evillocalhost", false), (".localhost.evil.example", false), ("127.0.0.1.evil", false),
        ("wild.example", false), ("evilwild.example", false), ("1.2.3", false), ("0x7f.1", false),
        ("2130706433", false), ("shelf.evil.example", false), ("other.local", false), ("a", false),
    ])
    func `is the server's or not`(_ host: String, _ isOwn: Bool) throws {
        let names = HostNames(
            ["Named.Example.org", "*.wild.example", "no host"], machineName: "shelf.example.org")
        let request = try Request.parsed("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect((names.refusal(of: request) == nil) == isOwn)
    }

    @Test func `may be any where that is wanted`() throws {
        let names = HostNames(["*"])
        #expect(names.knows("evil.example"))
        #expect(!HostNames([], machineName: nil).knows("shelf"))
    }

    @Test func `may be missing in HTTP/1.0, and is free on a Unix socket`() throws {
        let names = HostNames([])
        #expect(try names.refusal(of: Request.parsed("GET / HTTP/1.0\r\n\r\n")) == nil)
        let text = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        #expect(try names.refusal(of: .parsed(text, from: .unix(path: ""))) == nil)
        #expect(try names.refusal(of: .parsed(text)) != nil)
    }

    @Test func `is looked at in each request of a proxy`() async throws {
        try await withServer {
            $0.protection = Protection()
            $0.trustedProxies = TrustedProxies([AddressRange("127.0.0.0/8")].compactMap { $0 })
        } routes: { router in
            router.get("/", .inline { _ in .text("secret") })
        } _: { server in
            let client = try await server.connect()
            for (host, status) in [("localhost", 200), ("evil.example", 421), ("localhost", 200)] {
                let text =
                    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Host: \(host)\r\n"
                    + "X-Forwarded-For: 192.0.2.1\r\n\r\n"
                #expect(try await client.exchange(text).status == status)
            }
        }
    }

    @Test(arguments: ["GET /", "POST /", "GET /none", "BREW /", "OPTIONS *"])
    func `is looked at before anything else`(_ line: String) async throws {
        try await withServer {
            $0.protection = Protection()
        } routes: { router in
            router.get("/", .inline { _ in .text("secret") })
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 9)) }
        } _: { server in
            let fields = ["Host: evil.example", "Expect: 100-continue", "Content-Length: 5"]
            let lines = (["\(line) HTTP/1.1"] + fields).map { $0 + "\r\n" }.joined()
            // No 100 comes, and nothing of what the server has.
            let response = try await server.exchange(lines + "\r\n")
            #expect(response.status == 421)
            #expect(response.text == "421 Misdirected Request\n")
            #expect(server.log.lines.count == 1)
            #expect(server.log.lines[0].contains("evil.example is no name of this server"))
        }
    }

    @Test func `is looked at for each request of a connection`() async throws {
        try await withServer {
            $0.protection = Protection()
        } routes: { router in
            router.get("/", .inline { _ in .text("ok") })
        } _: { server in
            let client = try await server.connect()
            func status(_ target: String, _ host: String) async throws -> Int {
                try await client.exchange("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n").status
            }
            #expect(try await status("/", "localhost") == 200)
            #expect(try await status("/", "localhost") == 200)
            #expect(try await status("/", "evil.example") == 421)
            #expect(try await status("/", "localhost") == 200)
            // RFC 9112 §3.2.2: the target wins, and says nothing about the field.
            #expect(try await status("http://evil.example/", "localhost") == 421)
            #expect(try await status("http://localhost/", "evil.example") == 200)
            #expect(try await status("/", "evil.example") == 421)
        }
    }

    @Test func `does not matter without protection`() async throws {
        try await withServer {
            $0.protection = Protection(checksHost: false, checksOrigin: true)
        } routes: { router in
            router.get("/", .inline { _ in .text("ok") })
        } _: { server in
            let response = try await server.exchange(request("GET /"))
            #expect(response.status == 200)
        }
        #expect(HTTPServer.Configuration(port: 0).protection != nil)
    }
}
