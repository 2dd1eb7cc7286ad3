import Testing
import WharfHTTP
@testable import WharfHTTPClient
import WharfNet

/// Proxies, upgrades, and connections that are kept.
@Suite struct WayTests {
    private static let challenge =
        "HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
    private static let opened = "HTTP/1.1 200 Connection established\r\n\r\n"

    private func client(_ server: ScriptedServer, _ credentials: ClientCredentials?) throws
        -> HTTPClient
    {
        try makeClient {
            $0.proxy = .init(host: "127.0.0.1", port: server.port, credentials: credentials)
        }
    }

    @Test func `a proxy opens the way`() async throws {
        try await withScripts([[.head, .send(Self.opened), .head, .send(ok), .hold]]) { server in
            let answer = try await client(server, nil)
                .send(.init(.get, HTTPURL("http://far.example/x")))
            #expect(answer.text == "ok")
            let talk = server.conversations[0]
            #expect(
                talk.hasPrefix("CONNECT far.example:80 HTTP/1.1\r\nHost: far.example:80\r\n"))
            #expect(talk.contains("\r\n\r\nGET /x HTTP/1.1\r\nHost: far.example\r\n"))
        }
    }

    @Test(arguments: [false, true])
    func `a proxy that asks is told who asks, and the server is not`(isPreemptive: Bool)
        async throws
    {
        let way: [ScriptedServer.Step] = [.head, .send(Self.opened), .head, .send(ok), .hold]
        let scripts = isPreemptive ? [way] : [[.head, .send(Self.challenge)], way]
        try await withScripts(scripts) { server in
            let credentials = ClientCredentials(
                userName: "u", password: "p", isPreemptive: isPreemptive)
            let answer = try await client(server, credentials)
                .send(.init(.get, HTTPURL("http://far.example/x")))
            #expect(answer.text == "ok")
            let parts = server.conversations[isPreemptive ? 0 : 1]
                .split(separator: "\r\n\r\n")
            #expect(parts[0].contains("Proxy-Authorization: Basic dTpw"))
            #expect(!parts[1].contains("Authorization"))
        }
    }

    @Test(arguments: [407, 403, 502])
    func `a proxy that refuses is an error`(status: Int) async throws {
        let text = "HTTP/1.1 \(status) x\r\nContent-Length: 0\r\n\r\n"
        try await withScripts([[.head, .send(text), .hold]]) { server in
            let asking = try client(server, nil)
            let url = try HTTPURL("http://far.example/x")
            #expect(
                await errorKind { try await asking.send(.init(.get, url)) }
                    == .proxyRefused(.init(code: status)))
        }
    }

    @Test(arguments: ["http", ""])
    func `a proxy that is none is an error`(text: String) async throws {
        try await withScripts([[.head, .send(text)]]) { server in
            let asking = try client(server, nil)
            let url = try HTTPURL("http://far.example/x")
            let kind = await errorKind { try await asking.send(.init(.get, url)) }
            #expect(kind == .connectionLost || kind == .malformedAnswer)
        }
    }

    @Test func `an upgrade gives the stream, with what came along`() async throws {
        let client = try makeClient()
        let agreed = "HTTP/1.1 101 x\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\nhello"
        try await withScripts([
            [.head, .send(agreed), .until("bye"), .hold]
        ]) { server in
            let request = HTTPClient.Request(
                .get, try HTTPURL(server.url + "/chat"),
                fields: [.connection: "Upgrade", .upgrade: "chat"])
            let text = try await client.withUpgrade(request) { head, stream in
                #expect(head.headerFields[.upgrade] == "chat")
                try await stream.send(Array("bye".utf8))
                return String(decoding: stream.takeInput(), as: UTF8.self)
            }
            #expect(text == "hello")
        }
        try await withScripts([[.head, .send(ok), .hold]]) { server in
            let request = HTTPClient.Request(.get, try HTTPURL(server.url))
            let kind = await errorKind { try await client.withUpgrade(request) { _, _ in } }
            #expect(kind == .notUpgraded(.ok))
        }
    }

    @Test func `what is kept is bounded, and closed when nobody uses it`() async throws {
        let client = try makeClient {
            $0.keptConnectionMax = 2
            $0.keptTimeout = .milliseconds(50)
        }
        // A request may come by a connection that another one has left.
        let answers = Array(repeating: [ScriptedServer.Step.head, .send(ok)], count: 5)
        try await withScripts([answers.flatMap(\.self) + [.hold]]) { server in
            let url = try HTTPURL(server.url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask { _ = try await client.send(.init(.get, url)) }
                }
                try await group.waitForAll()
            }
            let counts = { try await client.loop.confine { client.connections.counts } }
            #expect(try await counts().kept <= 2)
            #expect(try await counts().used == 0)
            while try await counts().kept > 0 { await Task.yield() }
        }
    }

    @Test func `a connection that the server has closed is not used`() async throws {
        let client = try makeClient()
        try await withScripts([[.head, .send(ok)], [.head, .send(ok), .hold]]) { server in
            let url = try HTTPURL(server.url)
            _ = try await client.send(.init(.get, url))
            let isGone = { try await client.loop.confine { client.connections.counts.kept == 0 } }
            _ = try await isGone()
            // POST is not tried again: it has to go over a connection that is good.
            let answer = try await client.send(.init(.post, url, body: .bytes([1])))
            #expect(answer.text == "ok")
        }
    }
}
