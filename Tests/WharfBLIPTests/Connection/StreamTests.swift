import Testing
import WharfBLIP
import WharfBLIPEngine
import WharfNet
import WharfServer

@Suite(.timeLimit(.minutes(2))) struct `A body that is streamed` {
    private static let piece = [UInt8](repeating: 7, count: 50_000)

    /// A piece that gzip can make no thousandth of: one frame would then be all that may be held.
    private static let mixed = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }

    private static func write(
        _ count: Int, _ piece: [UInt8]? = nil
    ) -> @Sendable (BLIPBodyWriter) async throws -> Void {
        { writer in for _ in 0..<count { try await writer.write(piece ?? Self.piece) } }
    }

    @Test(arguments: everyVersion, [false, true])
    func `goes both ways, longer than all that may be held`(
        version: BLIPVersion, isCompressed: Bool
    ) async throws {
        let piece = version == .v2 ? Self.mixed : Self.piece
        let dispatcher = BLIPDispatcher()
        dispatcher.onStream("count") { _, body in
            var count = 0
            for try await part in body { count += part.count }
            return BLIPMessage(["count": "\(count)"])
        }
        dispatcher.on("make") { request in
            BLIPMessage([:], isCompressed: isCompressed, writing: Self.write(100, piece))
        }
        var options = BLIPOptions()
        options.limits.heldMax = 2_000_000
        options.limits.bodyMax = 1_000_000
        try await withPair(version, dispatcher, server: options, client: options) { connection in
            let upload = BLIPMessage(
                ["Profile": "count"], isCompressed: isCompressed, writing: Self.write(100, piece))
            let uploaded = try await connection.send(upload)["count"]
            #expect(uploaded == "5000000")
            let count = try await connection.withReply(to: BLIPMessage(profile: "make")) {
                reply, body in
                var count = 0
                for try await part in body { count += part.count }
                return count
            }
            #expect(count == 5_000_000)
            let held = await connection.statistics.heldCount
            #expect(held == 0)
        }
    }

    @Test(arguments: everyVersion)
    func `reaches its handler before it is whole, and is answered while it comes`(
        version: BLIPVersion
    ) async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.onStream("echo") { request, body in
            BLIPMessage(request.properties) { writer in
                for try await part in body { try await writer.write(part) }
            }
        }
        try await withPair(version, dispatcher) { connection in
            let message = BLIPMessage(["Profile": "echo"], writing: Self.write(60))
            let count = try await connection.withReply(to: message) { reply, body in
                #expect(reply["Profile"] == "echo")
                var count = 0
                for try await part in body { count += part.count }
                return count
            }
            #expect(count == 60 * Self.piece.count)
        }
    }

    @Test(arguments: [BLIPVersion.v2, .v3])
    func `comes no further than it is read`(version: BLIPVersion) async throws {
        let written = Note(0)
        let dispatcher = BLIPDispatcher()
        dispatcher.on("make") { _ in
            BLIPMessage([:]) { writer in
                for _ in 0..<200 {
                    try await writer.write(Self.piece)
                    written.change { $0 += Self.piece.count }
                }
            }
        }
        dispatcher.on("ping") { _ in BLIPMessage() }
        try await withPair(version, dispatcher) { connection in
            try await connection.withReply(to: BLIPMessage(profile: "make")) { _, body in
                // Others come through meanwhile, and by then it has come as far as it would.
                for _ in 0..<200 { _ = try await connection.send(BLIPMessage(profile: "ping")) }
                #expect(written.value < 500_000)
                var count = 0
                for try await part in body { count += part.count }
                #expect(count == 200 * Self.piece.count)
            }
        }
    }

    @Test(arguments: everyVersion)
    func `is dropped where nobody reads on`(version: BLIPVersion) async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.onStream("early") { _, _ in BLIPMessage(["what": "early"]) }
        dispatcher.on("make") { _ in BLIPMessage([:], writing: Self.write(40)) }
        dispatcher.on("ping") { _ in BLIPMessage() }
        try await withPair(version, dispatcher) { connection in
            let upload = BLIPMessage(["Profile": "early"], writing: Self.write(40))
            let early = try await connection.send(upload)["what"]
            #expect(early == "early")
            let first = try await connection.withReply(to: BLIPMessage(profile: "make")) {
                _, body in
                for try await part in body { return part.count }
                return 0
            }
            #expect(first > 0)
            _ = try await connection.send(BLIPMessage(profile: "ping"))
        }
    }

    @Test(arguments: everyVersion)
    func `fails at its reader when its writer fails`(version: BLIPVersion) async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("torn") { _ in
            BLIPMessage([:]) { writer in
                for _ in 0..<5 { try await writer.write(Self.piece) }
                throw BLIPError(domain: "App", code: 5)
            }
        }
        dispatcher.on("ping") { _ in BLIPMessage() }
        var options = BLIPOptions()
        for isMarked in [true, false] {
            options.marksTornReplies = isMarked
            try await withPair(version, dispatcher, server: options) { connection in
                let kind = await outcome {
                    try await connection.withReply(to: BLIPMessage(profile: "torn")) { _, body in
                        for try await _ in body {}
                    }
                }
                guard case .failure(let error as BLIPConnectionError) = kind else {
                    Issue.record("\(kind)")
                    return
                }
                #expect(
                    error.kind == (isMarked ? .badReply(.abandoned) : .disconnected))
                // Whole replies are no more whole than streamed ones.
                let whole = await outcome {
                    try await connection.send(BLIPMessage(profile: "torn"))
                }
                #expect((try? whole.get()) == nil)
                let isAlive = await outcome {
                    try await connection.send(BLIPMessage(profile: "ping"))
                }
                #expect(((try? isAlive.get()) != nil) == isMarked)
            }
        }
    }

    @Test(arguments: everyVersion)
    func `of a request that its sender gives up is never whole`(version: BLIPVersion) async throws {
        let seen = Note("nothing")
        let dispatcher = BLIPDispatcher()
        dispatcher.onStream("take") { _, body in
            do {
                for try await _ in body {}
                seen.value = "all"
            } catch {
                seen.value = "failed"
                throw error
            }
            return BLIPMessage()
        }
        try? await withPair(version, dispatcher) { connection in
            let upload = BLIPMessage(["Profile": "take"]) { writer in
                for _ in 0..<5 { try await writer.write(Self.piece) }
                throw Errno.timedOut
            }
            let result = await outcome { try await connection.send(upload) }
            guard case .failure(let error) = result else {
                Issue.record("it was answered")
                return
            }
            #expect(error as? Errno == .timedOut)
            try await connection.waitForEnd()
        }
        #expect(seen.value != "all")
    }

    @Test(arguments: everyVersion)
    func `tells how far it has come`(version: BLIPVersion) async throws {
        let dispatcher = BLIPDispatcher()
        dispatcher.on("echo") { BLIPMessage(body: $0.body) }
        try await withPair(version, dispatcher) { connection in
            let states = Note<[BLIPProgress]>([])
            let body = [UInt8](repeating: 1, count: 300_000)
            _ = try await connection.send(BLIPMessage(profile: "echo", body: body)) { state in
                states.change { $0.append(state) }
            }
            let sent = states.value.map(\.sentCount)
            #expect(sent == sent.sorted() && states.value.count > 10)
            let last = try #require(states.value.last)
            #expect(last.sentCount == 300_000 && last.sentTotal == 300_000 && last.isSent)
            #expect(last.receivedCount == 300_000)
            #expect(states.value.first?.isSent == false)
        }
    }
}
