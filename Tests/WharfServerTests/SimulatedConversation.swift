import WharfNet
import WharfTesting

/// One connection of a simulated client, which checks every answer that comes.
final class SimulatedConversation: @unchecked Sendable {
    // @unchecked: used on the clients' loop only.

    let world: SimulatedWorld
    let client: SimulatedClient
    var random: SeededRandom
    private var reader: SimulatedAnswerReader
    /// Where in what is sent the request begins whose answer is expected next; `nil`: none is.
    private var startOfCurrent: Int?
    private var sentCount = 0
    /// The server had begun to read the present request when it was told to stop.
    private var mustBeAnswered = false

    /// The longest pause between two pieces, in nanoseconds, and how many there are at most.
    private static let pauseMax = 1_000_000_000
    private static let pauseCountMax = 4

    init(_ world: SimulatedWorld, _ random: SeededRandom) throws {
        self.world = world
        self.random = random
        client = try SimulatedClient(connectingTo: world.address, in: world.simulation)
        world.tally.clientCount += 1
        reader = SimulatedAnswerReader(client)
    }

    /// Connects, and secures the connection if the world's server does.
    ///
    /// Throws ``TLSError`` when that fails, which counts as a cut; only faulty worlds have it.
    static func open(_ world: SimulatedWorld, _ random: SeededRandom) async throws
        -> SimulatedConversation
    {
        let talk = try SimulatedConversation(world, random)
        guard let tls = world.tls else { return talk }
        do {
            try await talk.client.secure(with: tls, host: "localhost")
            return talk
        } catch {
            talk.client.close()
            world.tally.cutCount += 1
            throw error
        }
    }

    func noteDraining() {
        if let startOfCurrent, client.arrivedCount > startOfCurrent { mustBeAnswered = true }
    }

    // MARK: Sending

    /// Sends in pieces, with pauses, both of the seed.
    func send(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        var pauseCount = 0
        while !rest.isEmpty {
            let count = random.isOne(in: 3) ? rest.count : 1 + random.below(rest.count)
            try await client.send(rest.prefix(count))
            rest = rest.dropFirst(count)
            if !rest.isEmpty, pauseCount < Self.pauseCountMax, random.isOne(in: 3) {
                pauseCount += 1
                await pause()
            }
        }
    }

    private func send(_ exchange: SimulatedExchange) async throws {
        try await send(exchange.head)
        if exchange.isPrompt {
            try await client.send(exchange.body)
        } else {
            try await send(exchange.body)
        }
    }

    func pause() async {
        _ = await client.stall(UInt64(random.below(Self.pauseMax)))
    }

    // MARK: Exchanges

    /// Sends requests and expects their answers. False when the connection has ended before.
    ///
    /// Several are sent without waiting, as many as there are.
    func exchange(_ exchanges: [SimulatedExchange], finishes: Bool = false) async throws -> Bool {
        var start = sentCount
        let starts = exchanges.map { exchange in
            defer { start += exchange.bytes.count }
            return start
        }
        sentCount = start
        if exchanges.count == 1, exchanges[0].waits {
            return try await exchangeWaiting(exchanges[0], start: starts[0])
        }
        return try await withThrowingTaskGroup { group in
            group.addTask { [self] in
                // Who cannot send sees why in what is received.
                for exchange in exchanges {
                    guard (try? await send(exchange)) != nil else { return }
                }
                if finishes { client.finish() }
            }
            do {
                for (exchange, start) in zip(exchanges, starts) {
                    guard try await expect(exchange, start: start) else {
                        client.close()
                        return false
                    }
                }
            } catch {
                client.close()
                throw error
            }
            return true
        }
    }

    private func exchangeWaiting(_ exchange: SimulatedExchange, start: Int) async throws -> Bool {
        do {
            try await send(exchange.head)
        } catch let error as Errno {
            return try endedEarly(AnswerCut(isFinish: false, byteCount: 0, errno: error))
        }
        if exchange.answer.isContinued {
            begin(start)
            do {
                let status = try await reader.next(isHead: false).status
                guard status == 100 else {
                    // Read no further: the present answer has no end that is known.
                    if world.isFaulty, status >= 500 { return false }
                    throw WrongAnswer("\(status) instead of 100")
                }
            } catch let cut as AnswerCut {
                return try endedEarly(cut)
            }
            try? await send(exchange.body)
        }
        return try await expect(exchange, start: start)
    }

    /// Reads and checks one answer. False when there is none, and need not be.
    func expect(_ exchange: SimulatedExchange, start: Int) async throws -> Bool {
        begin(start)
        defer { finish() }
        do {
            let answer = try await reader.next(isHead: exchange.answer.isHead)
            try check(answer, exchange)
            guard answer.closes else { return true }
            try await expectEnd()
            return false
        } catch let cut as AnswerCut {
            return try endedEarly(cut)
        }
    }

    /// Expects an answer without a number, after which the connection closes.
    func expectRefusal(_ status: Int) async throws {
        var answer = SimulatedExchange.Answer(status: status, isNumbered: false, closes: true)
        answer.body = Array("\(status) \(ExchangeMaker.phrases[status] ?? "")\n".utf8)
        let exchange = SimulatedExchange(number: "", head: [], answer: answer)
        if try await expect(exchange, start: .max) {
            throw WrongAnswer("the connection is kept after \(status)")
        }
    }

    /// The server has said that it closes, or the client that it has finished: FIN comes.
    func expectEnd() async throws {
        do {
            try await reader.expectEnd()
        } catch let cut as AnswerCut {
            guard world.mayCut else { throw WrongAnswer("RST instead of FIN: \(cut)") }
        }
    }

    /// What comes after 101, to the end.
    func rest() async throws -> [UInt8] { try await reader.rest() }

    /// One answer, whatever it says.
    func next() async throws -> SimulatedAnswer { try await reader.next(isHead: false) }

    private func begin(_ start: Int) {
        guard startOfCurrent != start else { return }
        startOfCurrent = start
        mustBeAnswered = false
        world.enter(self)
    }

    private func finish() {
        startOfCurrent = nil
        world.leave(self)
    }

    /// The connection has ended without a whole answer: right only while the server stops or fails.
    private func endedEarly(_ cut: AnswerCut) throws -> Bool {
        // Who gets a part is to see that it is one.
        if cut.isFinish, cut.byteCount > 0 { throw WrongAnswer("FIN after a part: \(cut)") }
        finish()
        world.tally.cutCount += 1
        if world.isFaulty { return false }
        guard world.drainStart != nil else { throw WrongAnswer("no answer: \(cut)") }
        let isPatienceOver = world.now >= world.drainEnd
        if mustBeAnswered, !isPatienceOver {
            throw WrongAnswer("a request that the server had begun to read: \(cut)")
        }
        if cut.byteCount > 0, !isPatienceOver { throw WrongAnswer("a part of an answer: \(cut)") }
        return false
    }

    private func check(_ answer: SimulatedAnswer, _ exchange: SimulatedExchange) throws {
        let wanted = exchange.answer
        func fail(_ what: String) -> WrongAnswer { WrongAnswer("\(exchange.number): \(what)") }
        if world.isFaulty, isErrorPage(answer, isHead: wanted.isHead) {
            world.tally.cutCount += 1
            return
        }
        guard answer.status == wanted.status else {
            throw fail("\(answer.status) instead of \(wanted.status)")
        }
        let numbers = answer.values("x-exchange")
        guard numbers == (wanted.isNumbered ? [exchange.number] : []) else {
            throw fail("answered as \(numbers)")
        }
        guard answer.values("date").count == 1 else { throw fail("not one Date") }
        let isChunked = answer.values("transfer-encoding") == ["chunked"]
        guard isChunked == wanted.isChunked else { throw fail("chunked: \(isChunked)") }
        let lengths = answer.values("content-length")
        let hasLength = wanted.hasLength && !wanted.isChunked
        let body = wanted.isPage ? answer.body : wanted.body
        guard lengths == (hasLength ? ["\(body.count)"] : []) else {
            throw fail("a length of \(lengths)")
        }
        guard wanted.isHead || KnownBytes.areSame(answer.body, body) else {
            throw fail("\(answer.body.count) bytes that are not the \(body.count) asked for")
        }
        if wanted.isPage, !isWholePage(body) { throw fail("a page that is not whole") }
        // Who stops says so with the last answer.
        guard answer.closes == wanted.closes || world.mayCut else {
            throw fail("closes: \(answer.closes)")
        }
        world.tally.answerCount += 1
    }

    /// A page that lists all files; one that the server could not look at may be missing.
    private func isWholePage(_ body: [UInt8]) -> Bool {
        let text = String(decoding: body, as: UTF8.self)
        let missing = ExchangeMaker.files.filter { !text.contains("href=\"\($0.0)\"") }
        return text.hasPrefix("<!doctype html>") && text.hasSuffix("</html>\n")
            && (missing.isEmpty || world.isFaulty)
    }

    /// A whole answer that says that the server could not do it.
    private func isErrorPage(_ answer: SimulatedAnswer, isHead: Bool) -> Bool {
        guard [403, 404, 500, 503].contains(answer.status),
            let phrase = ExchangeMaker.phrases[answer.status]
        else { return false }
        return answer.body == (isHead ? [] : Array("\(answer.status) \(phrase)\n".utf8))
    }
}
