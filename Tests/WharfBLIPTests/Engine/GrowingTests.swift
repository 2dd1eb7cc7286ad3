import Testing
import WharfBLIPEngine

/// Messages whose bodies are written while they are sent, and what becomes of those that are given up.
@Suite struct `A message that grows` {
    private static let versions: [BLIPVersion] = [.v1, .v2, .v3]

    /// Carries frames one way; answers what they brought, in a few words.
    private func carry(_ from: End, _ to: End) throws -> [String] {
        var words: [String] = []
        while let frame = try from.nextFrame() {
            for event in try to.receive(frame) {
                switch event {
                case .began(_, let head): words.append("began\(head.isError ? " error" : "")")
                case .body(let id, let bytes):
                    words.append(String(decoding: bytes.prefix(9), as: UTF8.self))
                    to.noteUsed(id, bytes.count)
                case .ended: words.append("ended")
                case .failed(_, let failure): words.append("\(failure)")
                case .ignored: words.append("ignored")
                }
            }
        }
        return words
    }

    @Test(arguments: versions, [true, false])
    func `is there as far as it was written`(version: BLIPVersion, isCompressed: Bool) throws {
        let client = End(version)
        let server = End(version)
        let number = client.begin(BLIPOutgoing(["Profile": "P"], isCompressed: isCompressed))
        #expect(try carry(client, server) == ["began"])
        client.append(utf8("one"), to: .request(number))
        #expect(try carry(client, server) == ["one"])
        client.append(utf8("two"), to: .request(number))
        client.append(utf8("three"), to: .request(number))
        #expect(try carry(client, server).joined() == "twothree")
        client.finish(.request(number))
        #expect(try carry(client, server) == ["ended"])
        #expect(client.heldCount == 0 && server.heldCount == 0)
        // What comes late is no part of it.
        client.append(utf8("late"), to: .request(number))
        #expect(!client.hasFrames && client.heldCount == 0)
    }

    @Test(arguments: versions)
    func `and is given up before it has begun asks nothing`(version: BLIPVersion) throws {
        let client = End(version)
        let server = End(version)
        let number = client.begin(BLIPOutgoing(["Profile": "P"], body: utf8("part")))
        #expect(client.giveUp(request: number) == .harmless)
        #expect(try carry(client, server) == ["began", "ended"])
        #expect(!server.reply(to: number, BLIPOutgoing()))
        // The next number is taken as usual.
        _ = client.send(BLIPOutgoing(["Profile": "P"]))
        #expect(try carry(client, server) == ["began", "ended"])
        #expect(client.end().count == 1)
    }

    @Test(arguments: versions)
    func `and is given up after it has begun is torn`(version: BLIPVersion) throws {
        let client = End(version)
        let server = End(version)
        let number = client.begin(BLIPOutgoing(["Profile": "P"], body: utf8("part")))
        #expect(try carry(client, server) == ["began", "part"])
        #expect(client.giveUp(request: number) == .torn)
        client.finish(.request(number))
        _ = try carry(client, server)
        #expect(client.giveUp(request: number) == .harmless)
    }

    @Test(arguments: versions, [true, false])
    func `and is a reply ends as an error if the other end knows that`(
        version: BLIPVersion, isCompressed: Bool
    ) throws {
        let client = End(version)
        let server = End(version)
        _ = client.send(BLIPOutgoing(["Profile": "P"]))
        _ = try carry(client, server)
        let reply = BLIPOutgoing(body: utf8("part"), isCompressed: isCompressed)
        #expect(server.reply(to: 1, reply, isWhole: false))
        #expect(try carry(server, client) == ["began", "part"])
        #expect(server.giveUp(replyTo: 1, isMarked: false) == .torn)
        #expect(server.giveUp(replyTo: 1, isMarked: true) == .harmless)
        #expect(try carry(server, client) == ["abandoned"])
        #expect(client.end() == [] && server.end() == [])
    }

    @Test(arguments: versions)
    func `and is a reply that has not begun becomes an error`(version: BLIPVersion) throws {
        let client = End(version)
        let server = End(version)
        _ = client.send(BLIPOutgoing(["Profile": "P"]))
        _ = try carry(client, server)
        #expect(server.reply(to: 1, BLIPOutgoing(body: utf8("part")), isWhole: false))
        #expect(server.giveUp(replyTo: 1, isMarked: false) == .harmless)
        #expect(try carry(server, client) == ["began error", "gone", "ended"])
    }

    @Test(arguments: [BLIPVersion.v2, .v3])
    func `comes no further than it is used`(version: BLIPVersion) throws {
        let client = End(version)
        let server = End(version)
        _ = client.send(BLIPOutgoing(body: [UInt8](repeating: 7, count: 1 << 20)))
        var unused = 0
        var id: BLIPMessageID?
        func pump() throws {
            while let frame = try client.nextFrame() {
                for case .body(let of, let bytes) in try server.receive(frame) {
                    unused += bytes.count
                    id = of
                }
            }
        }
        try pump()
        let first = unused
        #expect(first < 150_000)
        // Half of it is used: what is said to be is no more than that.
        server.noteUsed(try #require(id), first / 2)
        while let frame = try server.nextFrame() { _ = try client.receive(frame) }
        try pump()
        #expect(unused > first && unused <= first + first / 2 + 20_000)
        #expect(server.heldCount == unused - first / 2)
    }
}

/// One bound for all that an engine holds.
@Suite struct `What an engine holds` {
    private static let versions: [BLIPVersion] = [.v1, .v2, .v3]

    @Test(arguments: versions)
    func `has a bound over all messages, and what is past it fails alone`(
        version: BLIPVersion
    ) throws {
        var limits = BLIPLimits()
        limits.heldMax = 100_000
        let client = End(version)
        let server = End(version, limits: limits)
        // Twenty at a time, each well within its own bound, and compressed to next to nothing.
        for _ in 0..<20 {
            _ = client.send(
                BLIPOutgoing(body: [UInt8](repeating: 0, count: 60_000), isCompressed: true))
        }
        var failed = 0
        var ended = 0
        var most = 0
        var given: [BLIPMessageID: Int] = [:]
        while let frame = try client.nextFrame() {
            for event in try server.receive(frame) {
                switch event {
                case .body(let id, let bytes): given[id, default: 0] += bytes.count
                case .ended: ended += 1
                case .failed(let id, .noRoom):
                    failed += 1
                    server.noteUsed(id, given[id] ?? 0)
                default: break
                }
            }
            most = max(most, server.heldCount)
        }
        #expect(ended >= 1 && failed >= 10 && ended + failed == 20)
        // The error replies are small, and are held as well.
        #expect(most <= 100_000 + 20 * 100)
        // Their senders are told, and what is used makes room.
        var errors = 0
        while let frame = try server.nextFrame() {
            for case .began(_, let head) in try client.receive(frame) {
                #expect(head.properties["Error-Code"] == "503")
                errors += 1
            }
        }
        #expect(errors == failed)
        server.noteUsed(.request(1), .max)
        #expect(server.heldCount == 0)
        _ = client.send(BLIPOutgoing(body: [1]))
        #expect(
            try server.receive(try #require(try client.nextFrame())).last == .ended(.request(21)))
    }

    @Test(arguments: versions)
    func `counts replies that were not sent, and properties that are not whole`(
        version: BLIPVersion
    ) throws {
        let client = End(version)
        let server = End(version)
        _ = client.send(BLIPOutgoing())
        _ = try server.receive(try #require(try client.nextFrame()))
        server.reply(to: 1, BLIPOutgoing(body: [UInt8](repeating: 1, count: 5000)))
        #expect(server.heldCount >= 5000)
        while try server.nextFrame() != nil {}
        #expect(server.heldCount == 0 && server.isIdle)
    }
}

/// How two ends agree to close.
@Suite struct `Closing by a request` {
    @Test func `takes both ends, and nothing new begins meanwhile`() {
        var end = BLIPClosing()
        #expect(end.maySend && end.mayRefuse && !end.isAgreed)
        end.ask()
        #expect(!end.maySend && !end.isAgreed)
        end.noteAnswer(isRefusal: false)
        #expect(end.isAgreed && !end.maySend)
    }

    @Test func `may be refused, and the connection goes on`() {
        var end = BLIPClosing()
        end.ask()
        end.noteAnswer(isRefusal: true)
        #expect(end.maySend && !end.isAgreed)
    }

    @Test func `can't be refused by who has asked itself`() {
        var end = BLIPClosing()
        end.ask()
        #expect(!end.mayRefuse)
        end.accept()
        #expect(!end.isAgreed)
        // The other end was told yes, and can't be held to its refusal.
        end.noteAnswer(isRefusal: true)
        #expect(end.isAgreed)
    }

    @Test func `is agreed when the other end asks and is told yes`() {
        var end = BLIPClosing()
        end.accept()
        #expect(end.isAgreed && !end.maySend)
        end.noteAnswer(isRefusal: true)
        #expect(end.isAgreed)
    }
}
