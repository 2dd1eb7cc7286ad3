import Testing
import WharfBLIP
import WharfBLIPEngine
import WharfNet
import WharfServer

@Suite(.timeLimit(.minutes(2))) struct `Closing a BLIP connection` {
    private static var dispatcher: BLIPDispatcher {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("echo") { BLIPMessage(body: $0.body) }
        dispatcher.on("slow") { request in
            try await Task.sleep(for: .milliseconds(200))
            return BLIPMessage(body: request.body)
        }
        dispatcher.on("never") { _ in
            try await Task.sleep(for: .seconds(3600))
            return BLIPMessage()
        }
        return dispatcher
    }

    @Test(arguments: everyVersion)
    func `waits for what is under way, and takes nothing new`(version: BLIPVersion) async throws {
        let ended = Note<[String]>([])
        var options = BLIPOptions()
        options.onEvent = { event in
            if case .closed(let error) = event {
                ended.change { $0.append(error.map { "\($0)" } ?? "well") }
            }
        }
        try await withPair(version, Self.dispatcher, server: options, client: options) {
            connection in
            async let slow = connection.send(BLIPMessage(profile: "slow", body: [1, 2, 3]))
            _ = try await connection.send(BLIPMessage(profile: "echo"))
            try await connection.closeWhenDone()
            let slowBody = try await slow.body
            #expect(slowBody == [1, 2, 3])
            await #expect(throws: BLIPConnectionError.self) {
                _ = try await connection.send(BLIPMessage(profile: "echo"))
            }
        }
        if version != .v3 { #expect(ended.value == ["well", "well"]) }
    }

    @Test(arguments: [BLIPVersion.v1, .v2])
    func `is refused by the other end's program`(version: BLIPVersion) async throws {
        let isWilling = Note(false)
        var options = BLIPOptions()
        options.mayClose = { _ in isWilling.value }
        try await withPair(version, Self.dispatcher, server: options) { connection in
            let error = await #expect(throws: BLIPError.self) {
                try await connection.closeWhenDone()
            }
            #expect(error?.code == 403)
            #expect(error?.message == "Close request denied")
            let echoed = try await connection.send(BLIPMessage(profile: "echo", body: [9])).body
            #expect(echoed == [9])
            isWilling.value = true
            try await connection.closeWhenDone()
        }
    }

    @Test(arguments: everyVersion)
    func `by both ends at about the same time is no error`(version: BLIPVersion) async throws {
        let atServer = Note("")
        let ended = Note<[String]>([])
        let go = AsyncStream.makeStream(of: Void.self)
        var options = BLIPOptions()
        options.onEvent = { event in
            if case .closed(let error) = event {
                ended.change { $0.append(error.map { "\($0)" } ?? "well") }
            }
        }
        try await withPair(
            version, Self.dispatcher, server: options, client: options,
            onConnection: { connection in
                for await _ in go.stream { break }
                let result = await outcome { try await connection.closeWhenDone() }
                atServer.value = "\(result)"
            }
        ) { connection in
            _ = try await connection.send(BLIPMessage(profile: "echo"))
            go.continuation.yield()
            try await connection.closeWhenDone()
        }
        #expect(!atServer.value.contains("BLIPError"))
        if version != .v3 { #expect(ended.value == ["well", "well"]) }
    }

    @Test(arguments: everyVersion)
    func `at once fails what is under way`(version: BLIPVersion) async throws {
        try await withPair(version, Self.dispatcher) { connection in
            async let never = outcome { try await connection.send(BLIPMessage(profile: "never")) }
            _ = try await connection.send(BLIPMessage(profile: "echo"))
            await connection.close(4001, reason: "enough")
            guard case .failure(let error) = await never else {
                Issue.record("it was answered")
                return
            }
            #expect((error as? BLIPConnectionError)?.kind == .disconnected)
            await #expect(throws: BLIPConnectionError.self) {
                _ = try await connection.send(BLIPMessage(profile: "echo"))
            }
            #expect(await !connection.isActive)
        }
    }

    @Test(arguments: everyVersion)
    func `a hundred handlers that ask back are answered`(version: BLIPVersion) async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("ask back") { request in
            let reply = try await request.connection.send(
                BLIPMessage(profile: "name", body: request.body))
            return BLIPMessage(body: reply.body)
        }
        let answering = BLIPDispatcher()
        answering.on("name") { BLIPMessage(body: $0.body + [9]) }
        try await withPair(version, dispatcher, answering: answering, on: .loop) { connection in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let body = [UInt8(truncatingIfNeeded: number)]
                        let reply = try await connection.send(
                            BLIPMessage(profile: "ask back", body: body))
                        #expect(reply.body == body + [9])
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a connection that can't be opened fails what waits for it`() async throws {
        let client = try BLIPClient()
        let pool = BLIPPool(client)
        try await whileRunning({ await pool.run() }) {
            let connection = try pool.connection(to: "ws://127.0.0.1:1/")
            await #expect(throws: (any Error).self) {
                _ = try await connection.send(BLIPMessage(profile: "echo"))
            }
            #expect(pool.existingConnection(to: "ws://127.0.0.1:1/") == nil)
        }
        for url in [
            "", "ws://", "ftp://a/", "blip://a", "ws://a:0/", "ws://u:p@a/", "ws://a/\u{1}",
        ] {
            await #expect(throws: BLIPAddressError.self, "\(url)") {
                try await client.withConnection(to: url) { _ in }
            }
        }
    }
}
