import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet

/// Whatever a server sends, a client ends in time, with an error that says what was wrong.
@Suite struct HostileServerTests {
    private static let long = String(repeating: "x", count: 9000)

    @Test(arguments: [
        ("HTTP/2.0 200 OK\r\n\r\n", HTTPClientError.Kind.malformedAnswer),
        ("ICY 200 OK\r\n\r\n", .malformedAnswer), ("hello\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 2000 x\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformedAnswer),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            .malformedAnswer
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", .malformedAnswer),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformedAnswer),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nabc",
            .connectionLost
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .connectionLost),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", .connectionLost),
        ("HTTP/1.1 200 OK\r\nContent-Le", .connectionLost), ("", .connectionLost),
        ("HTTP/1.1 200 OK\r\nA: \(long)\r\n\r\n", .tooLarge),
        (
            "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 101) + "\r\n", .tooLarge
        ),
    ])
    func `a wrong answer is an error of its kind`(
        text: String, kind: HTTPClientError.Kind
    ) async throws {
        let client = try makeClient()
        try await withScripts([[.head, .send(text)]]) { server in
            let url = try HTTPURL(server.url)
            #expect(await errorKind { try await client.send(.init(.get, url)) } == kind)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nA: ", "A: b\r\n", "x",
        "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n",
    ])
    func `what comes without end is not read without end`(text: String) async throws {
        let client = try makeClient()
        try await withScripts([[.head, .sendForever(text)]]) { server in
            let url = try HTTPURL(server.url)
            let kind = await errorKind { try await client.send(.init(.get, url)) }
            #expect(kind == .tooLarge || kind == .malformedAnswer)
        }
    }

    @Test(arguments: [
        ("Content-Length: 1000000000000\r\n\r\n", "abcdefgh"),
        ("Transfer-Encoding: chunked\r\n\r\n", "8\r\nabcdefgh\r\n"), ("\r\n", "abcdefgh"),
    ])
    func `a body without end is left at the bound`(fields: String, piece: String) async throws {
        let client = try makeClient()
        try await withScripts([
            [.head, .send("HTTP/1.1 200 OK\r\n" + fields), .sendForever(piece)]
        ]) { server in
            let url = try HTTPURL(server.url)
            let kind = await errorKind { try await client.send(.init(.get, url), upTo: 100_000) }
            #expect(kind == .tooLarge)
        }
    }

    @Test(arguments: [
        [ScriptedServer.Step.head, .hold],
        [.head, .send("HTTP/1.1 200 OK\r\nContent-Le"), .hold],
        [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .hold],
    ])
    func `a server that says nothing is left after the idle time`(
        script: [ScriptedServer.Step]
    ) async throws {
        let client = try makeClient { $0.idleTimeout = .milliseconds(100) }
        try await withScripts([script]) { server in
            let url = try HTTPURL(server.url)
            #expect(await errorKind { try await client.send(.init(.get, url)) } == .timedOut)
        }
    }

    @Test func `a server that takes nothing is left after the idle time`() async throws {
        let client = try makeClient {
            $0.idleTimeout = .milliseconds(200)
            $0.continueMin = nil
        }
        try await withScripts([[.head, .pause(milliseconds: 3000)]]) { server in
            let body = HTTPClient.Body.bytes([UInt8](repeating: 7, count: 16 << 20))
            let request = HTTPClient.Request(.put, try HTTPURL(server.url), body: body)
            #expect(await errorKind { try await client.send(request) } == .timedOut)
        }
    }

    @Test func `a slow one is left when the whole takes too long`() async throws {
        let client = try makeClient { $0.totalTimeout = .milliseconds(300) }
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + Self.long
        try await withScripts([[.head, .dribble(text, milliseconds: 20)]]) { server in
            let url = try HTTPURL(server.url)
            #expect(await errorKind { try await client.send(.init(.get, url)) } == .expired)
        }
    }

    @Test func `a loop of redirects ends`() async throws {
        let client = try makeClient()
        let step = ScriptedServer.Step.send(
            "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
        let script = (0..<20).flatMap { _ in [ScriptedServer.Step.head, step] }
        try await withScripts([script + [.hold]]) { server in
            let url = try HTTPURL(server.url)
            #expect(
                await errorKind { try await client.send(.init(.get, url)) } == .tooManyRedirects)
            #expect(server.conversations.count == 1)
        }
    }

    @Test func `bytes that nobody asked for are not the next answer`() async throws {
        let client = try makeClient()
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        try await withScripts([
            [.head, .send(ok + forged), .hold], [.head, .send(ok), .hold],
        ]) { server in
            for _ in 0..<2 {
                let answer = try await client.send(.init(.get, HTTPURL(server.url)))
                #expect(answer.text == "ok")
            }
            #expect(server.conversations.count == 2)
        }
    }

    @Test func `nobody there, no such host`() async throws {
        let client = try makeClient()
        let server = try ScriptedServer(.hold)
        server.stop()
        #expect(
            await errorKind { try await client.send(.init(.get, HTTPURL(server.url))) }
                == .notConnected)
        let nowhere = try HTTPURL("http://no-such-host.invalid/")
        #expect(await errorKind { try await client.send(.init(.get, nowhere)) } == .unknownHost)
    }
}
