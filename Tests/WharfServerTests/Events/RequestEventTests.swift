import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `Events of a request` {
    @Test func `name it from its head to its end`() async throws {
        try await withServer { router in
            router.post("/", on: .loop) { .text("\(try await $0.body.collect(upTo: 99).count)") }
            router.get("/inline", .inline { _ in .text("inline") })
        } _: { server in
            let watcher = EventWatcher(server.server)
            let client = try await server.connect()
            for number in 1...3 {
                _ = try await client.exchange(
                    number == 2
                        ? request("GET /inline?q")
                        : request("POST /", ["Content-Length: 5"], body: "12345"))
                let start = try #require(await watcher.nextBegan())
                #expect(start.id.number == number)
                #expect(start.head.method == (number == 2 ? .get : .post))
                #expect(start.peer.address == start.clientAddress)
                let end = try #require(await watcher.nextEnded())
                #expect(end.id == start.id)
                #expect(end.id.connectionID == end.peer.connectionID)
                #expect(end.target == (number == 2 ? "/inline?q" : "/"))
                #expect(end.receivedByteCount == (number == 2 ? 0 : 5))
                #expect(end.byteCount == (number == 2 ? 6 : 1))
                #expect(end.version == "HTTP/1.1" && end.userName == nil)
            }
            client.close()
            let closed = try #require(await watcher.nextClosed())
            #expect(closed.requestCount == 3)
            #expect(closed.receivedByteCount > 100 && closed.sentByteCount > 100)
        }
    }

    @Test func `say who has logged in, and only for that request`() async throws {
        var users = UserList(realm: "Test")
        try users.add("ann", password: "p")
        let authentication = Authentication(BasicAuthentication(users: users))
        try await withServer { router in
            router.get("/open", on: .loop) { _ in .text("open") }
            router.group("/shut", authentication) { shut in
                shut.get("", on: .loop) { _ in .text("shut") }
            }
        } _: { server in
            let watcher = EventWatcher(server.server)
            let client = try await server.connect()
            // ann:p
            let login = "Authorization: Basic YW5uOnA="
            var names: [String?] = []
            for (path, fields) in [
                ("/open", []), ("/shut", [login]), ("/open", [login]), ("/shut", []),
            ] {
                _ = try await client.exchange(request("GET \(path)", fields))
                names.append(try #require(await watcher.nextEnded()).userName)
            }
            #expect(names == [nil, "ann", nil, nil])
        }
    }

    @Test func `tell how far it has got`() async throws {
        let (gates, gate) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.progressInterval = .milliseconds(1)
        } routes: { router in
            router.put("/", on: .loop) { request in
                _ = try await request.body.collect(upTo: 99)
                return .stream(length: 10) { writer in
                    try await writer.write("1234")
                    for await _ in gates { break }
                    try await writer.write("567890")
                }
            }
        } _: { server in
            let watcher = EventWatcher(server.server)
            let client = try await server.connect()
            try await client.send(request("PUT /", ["Content-Length: 8"], body: "123"))
            let received = try #require(
                await watcher.next {
                    if case .progress(let progress) = $0, progress.receivedByteCount > 0 {
                        progress
                    } else {
                        nil
                    }
                })
            #expect(received.receivedByteCount == 3 && received.receivedTotal == 8)
            #expect(received.sentByteCount == 0 && received.sentTotal == nil)
            try await client.send("45678")
            let sent = try #require(
                await watcher.next {
                    if case .progress(let progress) = $0, progress.sentByteCount > 0 {
                        progress
                    } else {
                        nil
                    }
                })
            #expect(sent.sentByteCount == 4 && sent.sentTotal == 10)
            #expect(sent.receivedByteCount == 8 && sent.id == received.id)
            gate.yield()
            #expect(try await client.response().text == "1234567890")
            #expect(await watcher.nextEnded()?.byteCount == 10)
        }
    }

    @Test func `tell nothing in between unless it is wanted`() async throws {
        try await withServer { router in
            router.get("/", on: .loop) { _ in .stream { try await $0.write("12345") } }
        } _: { server in
            let watcher = EventWatcher(server.server)
            _ = try await server.exchange(request("GET /"))
            let event = await watcher.next { event in
                switch event {
                case .progress: "progress"
                case .requestEnded: "ended"
                default: nil as String?
                }
            }
            #expect(event == "ended")
        }
    }
}
