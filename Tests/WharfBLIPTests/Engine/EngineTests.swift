import Testing
import WharfBLIPEngine

@Suite struct `Two BLIP engines` {
    /// What one end has heard.
    private struct Heard {
        var heads: [BLIPMessageID: BLIPMessageHead] = [:]
        var bodies: [BLIPMessageID: [UInt8]] = [:]
        var ended: [BLIPMessageID] = []

        mutating func take(_ events: [BLIPEvent]) {
            for event in events {
                switch event {
                case .began(let id, let head): heads[id] = head
                case .body(let id, let bytes): bodies[id, default: []] += bytes
                case .ended(let id): ended.append(id)
                case .failed(let id, let failure): Issue.record("\(id): \(failure)")
                case .ignored(let head): Issue.record("\(head)")
                }
            }
        }
    }

    /// Carries frames until none is left; what is received counts as used.
    private func carry(
        _ client: End, _ server: End, _ atClient: inout Heard,
        _ atServer: inout Heard, reply: (BLIPMessageID, Heard) -> BLIPOutgoing?
    ) throws {
        while client.hasFrames || server.hasFrames {
            if let frame = try client.nextFrame() {
                let before = atServer.ended.count
                atServer.take(try server.receive(frame))
                for id in atServer.heads.keys { server.acknowledge(id) }
                for id in atServer.ended[before...] where !id.isReply {
                    if let answer = reply(id, atServer) { server.reply(to: id.number, answer) }
                }
            }
            if let frame = try server.nextFrame() {
                atClient.take(try client.receive(frame))
                for id in atClient.heads.keys { client.acknowledge(id) }
            }
        }
    }

    private static let counts = [0, 1, 100, 4096, 16_384, 200_000, 1 << 20]

    @Test(arguments: [BLIPVersion.v2, .v3], [true, false])
    func `exchange messages of all lengths`(version: BLIPVersion, isCompressed: Bool) throws {
        let client = End(version)
        let server = End(version)
        var atClient = Heard()
        var atServer = Heard()
        for (number, count) in zip(1..., Self.counts) {
            var request = BLIPOutgoing(
                ["Profile": "Echo", "n": "\(count)"],
                body: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 9) },
                isCompressed: isCompressed)
            request.head.isUrgent = number.isMultiple(of: 2)
            #expect(client.send(request) == UInt64(number))
        }
        try carry(client, server, &atClient, &atServer) { id, heard in
            var reply = BLIPOutgoing(body: heard.bodies[id] ?? [], isCompressed: isCompressed)
            reply.head.properties["n"] = heard.heads[id]?.properties["n"]
            return reply
        }
        #expect(atClient.ended.count == Self.counts.count)
        for (number, count) in zip(1..., Self.counts) {
            let id = atClient.ended.first { $0.number == UInt64(number) }
            let reply = try #require(id)
            let sent = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 9) }
            #expect(atClient.bodies[reply] ?? [] == sent)
            #expect(atClient.heads[reply]?.properties["n"] == "\(count)")
            #expect(atClient.heads[reply]?.isUrgent == number.isMultiple(of: 2))
        }
        #expect(client.sendingCount == 0 && server.sendingCount == 0)
        #expect(client.end() == [] && server.end() == [])
    }

    @Test func `stop when nothing is said to be used, and go on when it is`() throws {
        for version in [BLIPVersion.v2, .v3] {
            let client = End(version)
            let server = End(version)
            _ = client.send(BLIPOutgoing(body: [UInt8](repeating: 7, count: 400_000)))
            var received = 0
            var id: BLIPMessageID?
            func pump() throws {
                while let frame = try client.nextFrame() {
                    for event in try server.receive(frame) {
                        if case .body(let of, let bytes) = event {
                            received += bytes.count
                            id = of
                        }
                    }
                }
            }
            try pump()
            #expect(received >= 127_000 && received < 150_000)
            var rounds = 0
            while received < 400_000, rounds < 20 {
                server.acknowledge(try #require(id))
                while let frame = try server.nextFrame() { _ = try client.receive(frame) }
                try pump()
                rounds += 1
            }
            #expect(received == 400_000 && rounds >= 2)
        }
    }

    @Test func `let an urgent message overtake, but begin messages in their order`() throws {
        let client = End(.v3)
        for number in 1...4 {
            var request = BLIPOutgoing(body: [UInt8](repeating: 0, count: 60_000))
            request.head.isUrgent = number == 4
            _ = client.send(request)
        }
        var order: [UInt64] = []
        while let frame = try client.nextFrame() { order.append(UInt64(frame[0])) }
        #expect(Array(order.prefix(4)) == [1, 2, 3, 4])
        let lastUrgent = try #require(order.lastIndex(of: 4))
        for number: UInt64 in [1, 2, 3] {
            #expect(try #require(order.lastIndex(of: number)) > lastUrgent)
        }
        // The others still have their turns.
        #expect(order[4..<lastUrgent].contains { $0 != 4 })
    }

    @Test func `send smaller frames while something urgent waits`() throws {
        let client = End(.v3)
        _ = client.send(BLIPOutgoing(body: [UInt8](repeating: 0, count: 60_000)))
        #expect(try #require(try client.nextFrame()).count > 16_000)
        var urgent = BLIPOutgoing()
        urgent.head.isUrgent = true
        _ = client.send(urgent)
        #expect(try #require(try client.nextFrame()).count <= 4096)
        for _ in 0..<8 {
            guard let frame = try client.nextFrame() else { break }
            #expect(frame.count <= 16_384)
        }
    }

    @Test func `keep a reply back until its request is there whole`() throws {
        let client = End(.v3)
        let server = End(.v3)
        _ = client.send(BLIPOutgoing(body: [UInt8](repeating: 0, count: 40_000)))
        _ = try server.receive(try #require(try client.nextFrame()))
        #expect(server.reply(to: 1, BLIPOutgoing(body: [1])))
        #expect(!server.reply(to: 1, BLIPOutgoing()))
        #expect(try server.nextFrame() == nil)
        while let frame = try client.nextFrame() { _ = try server.receive(frame) }
        let reply = try #require(try server.nextFrame())
        #expect(try client.receive(reply).last == .ended(BLIPMessageID.reply(to: 1)))
    }

    @Test func `send no reply where none is wanted`() throws {
        let client = End(.v3)
        let server = End(.v3)
        var request = BLIPOutgoing()
        request.head.wantsNoReply = true
        _ = client.send(request)
        _ = try server.receive(try #require(try client.nextFrame()))
        #expect(!server.reply(to: 1, BLIPOutgoing()))
        #expect(client.end() == [])
        // And one that comes all the same is passed over, as is a second one.
        let rude = End(.v3)
        var greeting = BLIPOutgoing()
        greeting.head.isUrgent = false
        _ = rude.send(greeting)
        let frame: [UInt8] = [1, 1, 0, 0xD2, 0x02, 0xEF, 0x8D]
        let events = try client.receive(frame)
        guard case .ignored? = events.first else {
            Issue.record("\(events)")
            return
        }
    }

    @Test func `fail what is open when the connection ends`() throws {
        let client = End(.v3)
        let server = End(.v3)
        _ = client.send(BLIPOutgoing(body: [UInt8](repeating: 0, count: 40_000)))
        _ = client.send(BLIPOutgoing())
        _ = try server.receive(try #require(try client.nextFrame()))
        #expect(
            client.end() == [
                .failed(.reply(to: 1), .disconnected), .failed(.reply(to: 2), .disconnected),
            ])
        #expect(server.end() == [.failed(.request(1), .disconnected)])
        #expect(client.end() == [] && !client.hasFrames)
    }

    @Test func `know errors by domain, code and text`() throws {
        let client = End(.v2)
        let server = End(.v2)
        _ = client.send(BLIPOutgoing(["Profile": "none"]))
        _ = try server.receive(try #require(try client.nextFrame()))
        server.reply(to: 1, .error("BLIP", 404, "No handler for BLIP request"))
        let reply = try #require(try server.nextFrame())
        // In tokens: Error-Domain is 3 and Error-Code is 2.
        #expect(Array(reply.prefix(5)) == [1, 2, 13, 3, 0])
        var heard = Heard()
        heard.take(try client.receive(reply))
        let head = heard.heads[.reply(to: 1)]
        #expect(head?.isError == true && head?.properties["Error-Code"] == "404")
    }

    @Test func `refuse properties that can't be sent`() {
        var properties = BLIPProperties()
        properties["a\u{0}b"] = "c"
        properties["a"] = "\u{0}"
        properties["b"] = ""
        #expect(properties.pairs.map(\.name) == ["b"])
        properties["b"] = nil
        #expect(properties.pairs.isEmpty)
    }
}
