import WharfNet
import WharfServer
import WharfTesting

/// What a simulated client does with its connection.
enum SimulatedBehaviour: CaseIterable {
    case keepsAlive, pipelines, halfCloses, asksToClose, speaksHTTP10, upgrades
    case waitsForContinue, waitsInVain, announcesTooMuch, isMalformed
    case drips, resets, leavesSlowHandler
    case stallsInHead, dripsHead, stallsInBody, stallsReading, idles, idlesAfterwards
}

/// One client of a simulation, from its connecting to its end.
struct SimulatedVisitor {
    let world: SimulatedWorld
    var random: SeededRandom
    var maker: ExchangeMaker
    let talk: SimulatedConversation

    /// How much later than its time a limit may fire, in nanoseconds: one tick of the wheel and a turn.
    var lateMax: UInt64 = 4_194_304 + 1_000_000

    init(_ world: SimulatedWorld, _ random: SeededRandom, name: String) throws {
        self.world = world
        self.random = random
        maker = ExchangeMaker(self.random.fork(), prefix: name)
        talk = try SimulatedConversation(world, self.random.fork())
    }

    var client: SimulatedClient { talk.client }
    var limits: HTTPLimitTimes { HTTPLimitTimes(world) }

    /// Does it, and closes. Throws when the server does not do its part.
    mutating func visit(_ behaviour: SimulatedBehaviour) async throws {
        defer { client.close() }
        switch behaviour {
        case .keepsAlive: try await keepAlive()
        case .pipelines: _ = try await talk.exchange(several(1...6))
        case .halfCloses:
            if try await talk.exchange(several(1...3), finishes: true) {
                try await talk.expectEnd()
            }
        case .asksToClose: try await askToClose()
        case .speaksHTTP10: try await speakHTTP10()
        case .upgrades: try await upgrade()
        case .waitsForContinue: try await waitForContinue()
        case .waitsInVain: try await waitInVain()
        case .announcesTooMuch: try await announceTooMuch()
        case .isMalformed: try await sendMalformed()
        case .drips: try await drip()
        case .resets: try await reset()
        case .leavesSlowHandler: try await leaveSlowHandler()
        case .stallsInHead: try await stallInHead()
        case .dripsHead: try await dripHead()
        case .stallsInBody: try await stallInBody()
        case .stallsReading: try await stallReading()
        case .idles: try await idle(after: [])
        case .idlesAfterwards: try await idle(after: several(1...2))
        }
    }

    private mutating func several(_ counts: ClosedRange<Int>) -> [SimulatedExchange] {
        (0..<random.within(counts)).map { _ in maker.any() }
    }

    // MARK: Those who get their answers

    private mutating func keepAlive() async throws {
        for exchange in several(1...8) {
            guard try await talk.exchange([exchange]) else { return }
            if random.isOne(in: 3) {
                // Shorter than a connection may be idle.
                _ = await client.stall(UInt64(random.below(Int(limits.idle - 1_000_000_000))))
            }
        }
    }

    private mutating func askToClose() async throws {
        var exchanges = several(1...3)
        exchanges[exchanges.count - 1].addField("Connection: close")
        exchanges[exchanges.count - 1].answer.closes = true
        _ = try await talk.exchange(exchanges)
    }

    private mutating func speakHTTP10() async throws {
        var exchange = maker.hello()
        if random.isOne(in: 2) {
            // RFC 9112 §6.3: 1.0 has no chunks, so the connection's end is the body's.
            let size = random.pick(maker.sizes)
            exchange = maker.get("/stream/\(size)", Array(KnownBytes.of(size)))
            exchange.answer.hasLength = false
        }
        exchange.becomeHTTP10()
        _ = try await talk.exchange([exchange])
    }

    private mutating func upgrade() async throws {
        var exchange = maker.get("/upgrade", [])
        exchange.addField("Connection: upgrade\r\nUpgrade: echo")
        let content = Array(KnownBytes.of(random.pick(maker.sizes)))
        let bytes = exchange.head + content
        let talk = talk
        try await withThrowingTaskGroup { group in
            group.addTask {
                guard (try? await talk.send(bytes)) != nil else { return }
                talk.client.finish()
            }
            do {
                let answer = try await talk.next()
                guard answer.status == 101 else { throw WrongAnswer("\(answer.status), not 101") }
                let rest = try await talk.rest()
                let isWhole = rest.count == content.count || world.drainStart != nil
                guard isWhole, content.starts(with: rest) else {
                    throw WrongAnswer("\(rest.count) bytes came back of \(content.count)")
                }
            } catch let cut as AnswerCut {
                guard world.drainStart != nil else { throw WrongAnswer("no answer: \(cut)") }
            }
            talk.client.close()
        }
    }

    private mutating func waitForContinue() async throws {
        let size = 1 + random.pick(maker.sizes)
        let exchange = maker.waitingPost("/echo", size, answer: Array(KnownBytes.of(size)))
        guard try await talk.exchange([exchange]) else { return }
        _ = try await talk.exchange(several(1...1))
    }

    /// The body is not asked for: the client is told, and does not send it.
    private mutating func waitInVain() async throws {
        var exchange = maker.waitingPost("/ignore", 1000, answer: Array("ignored\n".utf8))
        exchange.answer.isContinued = false
        exchange.answer.closes = true
        _ = try await talk.exchange([exchange])
    }

    private mutating func announceTooMuch() async throws {
        let size = world.configuration.bodyMax + 1
        let head = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n"
        try? await talk.send(Array(head.utf8))
        try await talk.expectRefusal(413)
    }

    private mutating func sendMalformed() async throws {
        let (text, status) = random.pick(MalformedHeads.all)
        if random.isOne(in: 2), try await !talk.exchange(several(1...2)) { return }
        try? await client.send(Array(text.utf8))
        try await talk.expectRefusal(status)
    }

    /// A body that comes slowly, but never stops for too long.
    private mutating func drip() async throws {
        let exchange = maker.post("/echo", 400, answer: Array(KnownBytes.of(400)), inChunks: false)
        let talk = talk
        let pause = limits.body / 10 * 8
        try await withThrowingTaskGroup { group in
            group.addTask {
                guard (try? await talk.send(exchange.head)) != nil else { return }
                for start in stride(from: 0, to: 400, by: 100) {
                    guard await talk.client.stall(pause) else { return }
                    let piece = exchange.body[start..<(start + 100)]
                    guard (try? await talk.client.send(piece)) != nil else { return }
                }
            }
            _ = try await talk.expect(exchange, start: 0)
            talk.client.close()
        }
    }

    // MARK: Those who leave

    private mutating func reset() async throws {
        let bytes = several(1...3).flatMap(\.bytes)
        try? await talk.send(Array(bytes.prefix(random.below(bytes.count))))
        if random.isOne(in: 2) { await talk.pause() }
        for _ in 0..<random.below(4) { _ = try? await client.receive(patience: 1_000_000_000) }
        if random.isOne(in: 2) { client.reset() }
    }

    private mutating func leaveSlowHandler() async throws {
        try? await talk.send(maker.get("/slow/900000", []).bytes)
        await talk.pause()
        client.reset()
    }
}
