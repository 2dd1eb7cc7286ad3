import WharfNet
import WharfTesting

/// Thirty requests of all kinds, over a few connections.
struct FaultScript {
    /// What is sent together before answers are read.
    private static let steps: [[SimulatedExchange]] = {
        var maker = ExchangeMaker(SeededRandom(seed: 30), prefix: "r")
        func known(_ count: Int) -> [UInt8] { Array(KnownBytes.of(count)) }
        var closing = maker.hello()
        closing.addField("Connection: close")
        closing.answer.closes = true
        var old = maker.hello()
        old.becomeHTTP10()
        return [
            [maker.hello()],
            [maker.get("/inline", Array("inline\n".utf8))],
            [maker.get("/hello/head", Array("hello head\n".utf8), isHead: true)],
            [maker.post("/echo", 100, answer: known(100), inChunks: false)],
            [maker.post("/echo", 300, answer: known(300), inChunks: true)],
            [maker.post("/count", 70_000, answer: Array("70000\n".utf8), inChunks: false)],
            [maker.failing()],
            [maker.file("small")],
            [maker.file("middle")],
            [maker.file("middle", isHead: true)],
            [maker.file("large")],
            [maker.get("/stream/9000", known(9000), isChunked: true)],
            [maker.get("/sized/4096", known(4096))],
            [maker.get("/bytes/70000", known(70_000))],
            [maker.post("/relay", 1000, answer: known(1000), isChunked: true, inChunks: true)],
            [maker.ignored(500)],
            [maker.waitingPost("/echo", 200, answer: known(200))],
            [maker.hello(), maker.post("/echo", 50, answer: known(50)), maker.hello()],
            [maker.file("small"), maker.get("/inline", Array("inline\n".utf8))],
            [maker.folder()],
            [maker.get("/slow/20", Array("slow\n".utf8))],
            [closing],
            [maker.post("/relay", 0, answer: [], isChunked: true)],
            [old],
            [maker.file("small"), maker.hello()],
        ]
    }()

    static var requestCount: Int { steps.reduce(0) { $0 + $1.count } + 1 }

    /// Sends them, on a new connection whenever one has ended.
    static func play(_ world: SimulatedWorld) async throws {
        var talk: SimulatedConversation?
        for step in steps {
            let present: SimulatedConversation
            do {
                present = try await opened(talk, world)
            } catch is TLSError where world.isFaulty {
                continue
            }
            let isKept = try await present.exchange(step)
            if !isKept { present.client.close() }
            talk = isKept ? present : nil
        }
        await talk?.client.sayGoodbye()
        talk?.client.finish()
        try await talk?.expectEnd()
        talk?.client.close()
        try await upgrade(world)
    }

    private static func opened(_ talk: SimulatedConversation?, _ world: SimulatedWorld) async throws
        -> SimulatedConversation
    {
        if let talk { return talk }
        return try await .open(world, SeededRandom(seed: 1))
    }

    private static func upgrade(_ world: SimulatedWorld) async throws {
        let talk: SimulatedConversation
        do {
            talk = try await .open(world, SeededRandom(seed: 2))
        } catch is TLSError where world.isFaulty {
            return
        }
        defer { talk.client.close() }
        let bytes = Array(KnownBytes.of(500))
        let head =
            "GET /upgrade HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n"
        do {
            try await talk.client.send(Array(head.utf8) + bytes)
            let status = try await talk.next().status
            if world.isFaulty, status >= 500 { return }
            await talk.client.sayGoodbye()
            talk.client.finish()
            let rest = try await talk.rest()
            guard status == 101, bytes.starts(with: rest), rest.count == 500 || world.isFaulty
            else { throw WrongAnswer("\(status), and \(rest.count) bytes came back") }
            world.tally.answerCount += 1
        } catch let error where world.isFaulty && (error is AnswerCut || error is Errno) {
            return
        }
    }
}
