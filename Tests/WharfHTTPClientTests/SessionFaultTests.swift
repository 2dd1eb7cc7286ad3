import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer

/// What URLSession gets wrong on Linux, and this client does not: a test for each.
@Suite struct SessionFaultTests {
    private static func redirect(_ status: Int) -> String {
        "HTTP/1.1 \(status) x\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"
    }

    /// The bodies that a redirect or a login may have sent twice.
    private func bodies(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> [HTTPClient.Body] {
        try folder.write(bytes, to: Array("f".utf8))
        return [
            .bytes(bytes), try .file(folder.path + "/f"),
            .stream(length: Int64(bytes.count), isRepeatable: true) { try await $0.write(bytes) },
        ]
    }

    // There: followed with an empty body, and 200.
    @Test(arguments: [307, 308])
    func `a redirect that keeps the body sends all of it again`(status: Int) async throws {
        let client = try makeClient()
        let folder = try TemporaryFolder()
        for body in try bodies(Array("hello".utf8), folder) {
            try await withScripts([
                [
                    .head, .read(5), .send(Self.redirect(status)), .head, .read(5), .send(ok),
                    .hold,
                ]
            ]) { server in
                let answer = try await client.send(
                    .init(.post, HTTPURL(server.url + "/here"), body: body))
                #expect(answer.url.target == "/there")
                let talk = server.conversations[0]
                #expect(talk.components("POST /there HTTP/1.1").count == 2)
                #expect(talk.hasSuffix("\r\n\r\nhello"))
            }
        }
    }

    @Test func `a body that can't be sent again is an error, not an empty one`() async throws {
        let client = try makeClient { $0.continueMin = nil }
        try await withScripts([
            [.head, .until("0\r\n\r\n"), .send(Self.redirect(307)), .hold]
        ]) { server in
            let request = HTTPClient.Request(
                .post, try HTTPURL(server.url), body: .stream { try await $0.write([1, 2]) })
            #expect(await errorKind { try await client.send(request) } == .bodyIsSpent)
        }
        // With an expectation it has not left when the redirect comes.
        let patient = try makeClient { $0.continueTimeout = .seconds(10) }
        try await withScripts([
            [.head, .send(Self.redirect(307)), .hold],
            [
                .head, .send("HTTP/1.1 100 Continue\r\n\r\n"), .until("0\r\n\r\n"), .send(ok),
                .hold,
            ],
        ]) { server in
            let request = HTTPClient.Request(
                .post, try HTTPURL(server.url), body: .stream { try await $0.write([65, 66]) })
            #expect(try await patient.send(request).text == "ok")
            #expect(server.conversations.last?.hasSuffix("2\r\nAB\r\n0\r\n\r\n") == true)
        }
    }

    // There: never completes without a delegate, and the 401's body is part of the result.
    @Test func `401 without credentials is an answer, at once`() async throws {
        let client = try makeClient()
        let text =
            "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno"
        try await withScripts([[.head, .send(text), .hold]]) { server in
            let answer = try await client.send(.init(.get, HTTPURL(server.url)))
            #expect(answer.status == .unauthorized)
            #expect(answer.text == "no")
        }
    }

    // There: Digest is not known, and counts keep counting over the login.
    @Test(arguments: ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
    func `a login sends the body again, and shows the last answer only`(challenge: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let refusal =
            "HTTP/1.1 401 x\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno"
        for body in try bodies(Array("hello".utf8), folder) {
            let client = try makeClient {
                $0.credentials = ClientCredentials(userName: "u", password: "p")
            }
            try await withScripts([
                [.head, .read(5), .send(refusal), .head, .read(5), .send(ok), .hold]
            ]) { server in
                var request = HTTPClient.Request(.put, try HTTPURL(server.url), body: body)
                let progress = BodyProgress()
                request.progress = progress
                let answer = try await client.send(request)
                #expect(answer.status == .ok)
                #expect(answer.text == "ok")
                #expect(progress.byteCount == 5)
                #expect(server.conversations[0].hasSuffix("\r\n\r\nhello"))
            }
        }
    }

    // There: hangs for a minute.
    @Test(arguments: [HTTPRequest.Method.put, .get, .delete])
    func `a kept connection that breaks under a request is replaced`(
        method: HTTPRequest.Method
    ) async throws {
        let client = try makeClient()
        try await withScripts([
            [.head, .read(2), .send(ok), .head, .reset], [.head, .read(2), .send(ok), .hold],
        ]) { server in
            let url = try HTTPURL(server.url)
            for _ in 0..<2 {
                let request = HTTPClient.Request(method, url, body: .bytes([65, 66]))
                #expect(try await client.send(request).text == "ok")
            }
            #expect(server.conversations.count == 2)
        }
    }

    @Test func `what may not be done twice fails instead, at once`() async throws {
        let client = try makeClient()
        try await withScripts([[.head, .send(ok), .head, .reset]]) { server in
            let url = try HTTPURL(server.url)
            _ = try await client.send(.init(.get, url))
            let request = HTTPClient.Request(.post, url, body: .bytes([1]))
            #expect(await errorKind { try await client.send(request) } == .connectionLost)
        }
    }

    // There: timeoutIntervalForResource is ignored (HostileServerTests have ours), and a file that
    // becomes shorter hangs.
    @Test func `a file that changes while it is sent is an error, and never whole`() async throws {
        let client = try makeClient { $0.continueMin = nil }
        let folder = try TemporaryFolder()
        for (before, after) in [(3_000_000, 1_000_000), (3_000_000, 3_000_001), (100, 99)] {
            try folder.write(pattern(before), to: Array("f".utf8))
            let body = try HTTPClient.Body.file(folder.path + "/f")
            try folder.write(pattern(after), to: Array("f".utf8))
            try await withScripts([[.readAll]]) { server in
                let request = HTTPClient.Request(.put, try HTTPURL(server.url), body: body)
                #expect(await errorKind { try await client.send(request) } == .fileChanged)
                while server.byteCounts.isEmpty { await Task.yield() }
                #expect(server.byteCounts[0] < before + 100)
            }
        }
    }

    // There: a stream that has nothing for a moment is taken for ended, and one that blocks stops
    // all others.
    @Test func `a body that pauses is sent whole, and holds nobody up`() async throws {
        let client = try makeClient()
        try await withServer { router in
            router.post("/count") { request in
                .text("\(try await request.body.collect(upTo: 1 << 20).count)")
            }
        } _: { url in
            let count = try HTTPURL(url + "/count")
            let gate = AsyncStream<Void>.makeStream()
            async let slow = client.send(
                .init(
                    .post, count,
                    body: .stream { writer in
                        try await writer.write(pattern(1000))
                        for await _ in gate.stream {}
                        try await writer.write(pattern(9000))
                    }))
            for _ in 0..<3 {
                let other = try await client.send(
                    .init(.post, count, body: .bytes(pattern(10))))
                #expect(other.text == "10")
            }
            gate.continuation.finish()
            #expect(try await slow.text == "10000")
        }
    }

    // There: both lengths, or a wrong one, are sent as they are set.
    @Test func `a length that is set by hand is not sent`() async throws {
        let client = try makeClient { $0.continueMin = nil }
        try await withScripts([[.head, .until("0\r\n\r\n"), .send(ok), .hold]]) { server in
            var request = HTTPClient.Request(
                .post, try HTTPURL(server.url), fields: [.contentLength: "7"],
                body: .stream { try await $0.write([65]) })
            request.fields.append(HTTPField(name: .transferEncoding, value: "identity"))
            _ = try await client.send(request)
            let talk = server.conversations[0]
            #expect(!talk.contains("Content-Length"))
            #expect(talk.components("Transfer-Encoding").count == 2)
        }
    }

    // There: a relative Location is resolved against the root.
    @Test func `a relative Location is relative to the folder`() async throws {
        let client = try makeClient()
        let text = "HTTP/1.1 302 x\r\nLocation: rel/x\r\nContent-Length: 0\r\n\r\n"
        try await withScripts([[.head, .send(text), .head, .send(ok), .hold]]) { server in
            let answer = try await client.send(.init(.get, HTTPURL(server.url + "/a/b")))
            #expect(answer.url.target == "/a/rel/x")
        }
    }

    // There: a refusal is only seen when the whole body has left, or as a broken connection.
    @Test(arguments: [true, false])
    func `an answer before the body's end is the answer`(closes: Bool) async throws {
        let client = try makeClient { $0.continueMin = nil }
        let text = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig"
        try await withScripts([
            [.head, .send(text)] + (closes ? [.pause(milliseconds: 50)] : [.hold])
        ]) { server in
            let request = HTTPClient.Request(
                .put, try HTTPURL(server.url), body: .bytes([UInt8](repeating: 7, count: 20 << 20)))
            let answer = try await client.send(request)
            #expect(answer.status.code == 413)
            #expect(answer.text == "big")
            #expect(server.byteCounts[0] < 20 << 20)
        }
    }

    @Test func `a server that ignores the expectation costs one wait, and no second`() async throws
    {
        let client = try makeClient { $0.continueTimeout = .milliseconds(100) }
        let script: [ScriptedServer.Step] = [.head, .read(2_000_000), .send(ok)]
        try await withScripts([script + script + [.hold]]) { server in
            for _ in 0..<2 {
                let request = HTTPClient.Request(
                    .put, try HTTPURL(server.url),
                    body: .bytes([UInt8](repeating: 65, count: 2_000_000)))
                #expect(try await client.send(request).text == "ok")
            }
            #expect(server.conversations[0].components("100-continue").count == 2)
        }
    }
}

extension String {
    /// The pieces between the occurrences of a text.
    fileprivate func components(_ text: String) -> [Substring] {
        split(separator: text, omittingEmptySubsequences: false)
    }
}
