import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer

@Suite struct ClientTests {
    private func echoing(_ router: Router) {
        router.post("/echo") { request in
            .bytes(try await request.body.collect(upTo: 64 << 20))
        }
        router.put("/echo") { request in
            .bytes(try await request.body.collect(upTo: 64 << 20))
        }
        router.get("/hello") { _ in .text("Hello") }
    }

    @Test func `a request is answered, and its connection used again`() async throws {
        let client = try makeClient()
        try await withScripts([
            [.head, .send(ok), .head, .send(ok), .head, .send(ok), .hold]
        ]) { server in
            for path in ["/a", "/b?c=d", "/"] {
                let answer = try await client.send(.init(.get, HTTPURL(server.url + path)))
                #expect(answer.status == .ok)
                #expect(answer.text == "ok")
                #expect(answer.url.target == path)
            }
            #expect(server.conversations.count == 1)
            let asked = server.conversations[0]
            #expect(asked.hasPrefix("GET /a HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
            #expect(asked.contains("User-Agent: Wharf\r\n"))
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000, 3_000_000])
    func `bodies of every kind arrive as they are`(size: Int) async throws {
        let client = try makeClient()
        let bytes = pattern(size)
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: Array("file".utf8))
        try await withServer(echoing) { url in
            let echo = try HTTPURL(url + "/echo")
            let bodies: [HTTPClient.Body] = [
                .bytes(bytes), try .file(folder.path + "/file"),
                .stream { writer in
                    for start in stride(from: 0, to: bytes.count, by: 100_000) {
                        try await writer.write(
                            Array(bytes[start..<min(start + 100_000, bytes.count)]))
                    }
                },
                .stream(length: Int64(size)) { writer in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        try await writer.write(Array(rest.prefix(70_000)))
                        rest = rest.dropFirst(70_000)
                    }
                },
            ]
            for body in bodies {
                var request = HTTPClient.Request(.put, echo, body: body)
                let progress = BodyProgress()
                request.progress = progress
                let answer = try await client.send(request, upTo: 64 << 20)
                #expect(answer.status == .ok)
                #expect(answer.body == bytes)
                #expect(progress.byteCount == Int64(size))
            }
        }
    }

    @Test func `many at once share a few connections`() async throws {
        let client = try makeClient { $0.connectionsPerOriginMax = 3 }
        try await withServer(echoing) { url in
            let echo = try HTTPURL(url + "/echo")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let bytes = pattern(number * 3000)
                        let answer = try await client.send(
                            .init(.post, echo, body: .bytes(bytes)))
                        #expect(answer.body == bytes)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `an answer is read as it comes, and what is not read costs nothing`() async throws {
        let client = try makeClient()
        try await withServer { router in
            router.get("/endless") { _ in
                .stream { writer in
                    while true { try await writer.write([UInt8](repeating: 7, count: 10_000)) }
                }
            }
        } _: { url in
            let request = HTTPClient.Request(.get, try HTTPURL(url + "/endless"))
            let count = try await client.withResponse(to: request) { response in
                var count = 0
                for try await piece in response.body {
                    count += piece.count
                    if count > 1_000_000 { break }
                }
                return count
            }
            #expect(count > 1_000_000)
            #expect(
                await errorKind { try await client.send(request, upTo: 5000) } == .tooLarge)
        }
    }

    @Test func `bytes go both ways at the same time`() async throws {
        let client = try makeClient()
        try await withScripts([
            [
                .head, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .until("one\r\n"), .send("3\r\nONE\r\n"), .until("two\r\n"), .send("3\r\nTWO\r\n"),
                .until("0\r\n\r\n"), .send("0\r\n\r\n"), .hold,
            ]
        ]) { server in
            let gate = AsyncStream<String>.makeStream()
            let body = HTTPClient.Body.stream { writer in
                for await text in gate.stream { try await writer.write(Array(text.utf8)) }
            }
            let client = try makeClient { $0.continueMin = nil }
            let answer = try await client.withResponse(
                to: .init(.post, HTTPURL(server.url), body: body)
            ) { response in
                var iterator = response.body.makeAsyncIterator()
                var all: [String] = []
                for text in ["one", "two"] {
                    gate.continuation.yield(text)
                    all.append(
                        String(decoding: try await iterator.next() ?? [], as: UTF8.self))
                }
                gate.continuation.finish()
                let rest = try await iterator.next()
                #expect(rest == nil)
                return all
            }
            #expect(answer == ["ONE", "TWO"])
        }
        _ = client
    }

    @Test func `trailers are kept apart`() async throws {
        let client = try makeClient()
        try await withScripts([
            [
                .head,
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-A: 1\r\n\r\n"
                ), .hold,
            ]
        ]) { server in
            let trailer = try await client.withResponse(to: .init(.get, HTTPURL(server.url))) {
                let before = try await $0.body.trailers
                #expect(before.isEmpty)
                _ = try await $0.body.collect(upTo: 10)
                return try await $0.body.trailers[HTTPField.Name("X-A")!]
            }
            #expect(trailer == "1")
        }
    }

    @Test func `every interim answer is seen, while the body is sent`() async throws {
        let client = try makeClient()
        let seen = Locked<[Int]>([])
        try await withScripts([
            [
                .head, .send("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"),
                .send("HTTP/1.1 100 Continue\r\n\r\n"), .read(1_000_000),
                .send("HTTP/1.1 104 x\r\nUpload-Offset: 5\r\n\r\n"), .read(1_000_000), .send(ok),
                .hold,
            ]
        ]) { server in
            var request = HTTPClient.Request(
                .put, try HTTPURL(server.url), body: .bytes(pattern(2_000_000)))
            request.onInterim = { head in seen.withLock { $0.append(head.status.code) } }
            let answer = try await client.send(request)
            #expect(answer.interim.map(\.status.code) == [103, 100, 104])
            #expect(seen.withLock { $0 } == [103, 100, 104])
            #expect(answer.text == "ok")
        }
    }

    @Test func `an answer is of no use after its exchange`() async throws {
        let client = try makeClient()
        try await withServer(echoing) { url in
            let response = try await client.withResponse(
                to: .init(.get, HTTPURL(url + "/hello"))
            ) { $0 }
            let kind = await errorKind { try await response.body.collect(upTo: 10) }
            #expect(kind == .misuse)
        }
    }

    @Test func `a task that is cancelled ends its exchange at once`() async throws {
        let client = try makeClient { $0.idleTimeout = .seconds(60) }
        try await withScripts([[.head, .hold]]) { server in
            let task = Task { try await client.send(.init(.get, HTTPURL(server.url))) }
            while server.conversations.first?.hasSuffix("\r\n\r\n") != true { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `what a body's maker throws is thrown, and the server sees no whole body`()
        async throws
    {
        struct Mine: Error {}
        let client = try makeClient { $0.continueMin = nil }
        try await withScripts([[.readAll]]) { server in
            let url = try HTTPURL(server.url)
            await #expect(throws: Mine.self) {
                try await client.send(
                    .init(
                        .put, url,
                        body: .stream { writer in
                            try await writer.write([1, 2, 3])
                            throw Mine()
                        }))
            }
            for length in [2, 4] as [Int64] {
                let kind = await errorKind {
                    try await client.send(
                        .init(
                            .put, url,
                            body: .stream(length: length) { try await $0.write([1, 2, 3]) }))
                }
                #expect(kind == .wrongBodyLength)
            }
            #expect(server.conversations.allSatisfy { !$0.hasSuffix("0\r\n\r\n") })
        }
    }
}
