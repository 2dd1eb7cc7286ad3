import TestSupport
import WharfTesting

/// One request as its bytes, and the answer that it must get.
struct SimulatedExchange: Sendable {
    struct Answer: Sendable {
        var status = 200
        var body: [UInt8] = []
        /// There is no body, but a Content-Length unless the body would have been chunked.
        var isHead = false
        var isChunked = false
        /// There is a Content-Length, unless it is chunked: false where the connection's end is the body's.
        var hasLength = true
        /// The body is a page that lists the files, and not known beforehand.
        var isPage = false
        /// The answer bears the number of its request: a handler made it.
        var isNumbered = true
        /// It says that the connection closes.
        var closes = false
        /// 100 (Continue) comes before it.
        var isContinued = false
    }

    let number: String
    var head: [UInt8]
    /// As it is on the wire: with the chunks' framing.
    var body: [UInt8] = []
    /// The client sends the body only when it was asked to.
    var waits = false
    /// The server reads the body for a short time only: it comes without a pause.
    var isPrompt = false
    var answer: Answer

    var bytes: [UInt8] { head + body }

    /// Puts lines, without the last one's end, at the end of the head.
    mutating func addField(_ lines: String) {
        head.replaceSubrange((head.count - 2)..., with: "\(lines)\r\n\r\n".utf8)
    }

    /// Makes it a request of HTTP/1.0, after which the connection closes.
    mutating func becomeHTTP10() {
        let text = String(decoding: head, as: UTF8.self)
        head = Array(text.replacing("HTTP/1.1", with: "HTTP/1.0").utf8)
        answer.closes = true
    }
}

/// Makes exchanges out of a seed.
struct ExchangeMaker {
    var random: SeededRandom
    private let prefix: String
    private var count = 0
    /// Answers and bodies have so many bytes.
    var sizes = [0, 1, 10, 100, 1000, 4096, 9000, 70_000]
    /// Names and sizes of the files that there are.
    static let files = [("small", 700), ("middle", 65_537), ("large", 600_000)]

    /// A folder with these files.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, size) in files {
            try folder.write(Array(KnownBytes.of(size)), to: Array(name.utf8))
        }
        return folder
    }

    init(_ random: SeededRandom, prefix: String) {
        self.random = random
        self.prefix = prefix
    }

    /// Any exchange after which the connection is kept.
    mutating func any() -> SimulatedExchange {
        let size = random.pick(sizes)
        switch random.below(15) {
        case 0: return get("/inline", Array("inline\n".utf8))
        case 1: return hello()
        case 2: return get("/hello/head", Array("hello head\n".utf8), isHead: true)
        case 3, 4: return post("/echo", size, answer: Array(KnownBytes.of(size)))
        case 5: return post("/count", size, answer: Array("\(size)\n".utf8))
        case 6: return post("/relay", size, answer: Array(KnownBytes.of(size)), isChunked: true)
        case 7: return ignored(min(size, 4096))
        case 8: return get("/bytes/\(size)", Array(KnownBytes.of(size)))
        case 9: return get("/stream/\(size)", Array(KnownBytes.of(size)), isChunked: true)
        case 10:
            return get("/sized/\(size)", Array(KnownBytes.of(size)), isHead: random.isOne(in: 4))
        case 11: return file(random.pick(Self.files).0)
        case 12: return folder()
        case 13: return get("/slow/\(random.below(3000))", Array("slow\n".utf8))
        default: return failing()
        }
    }

    mutating func hello() -> SimulatedExchange {
        let name = "\(random.below(1000))"
        return get("/hello/\(name)", Array("hello \(name)\n".utf8))
    }

    mutating func ignored(_ size: Int) -> SimulatedExchange {
        var exchange = post("/ignore", size, answer: Array("ignored\n".utf8))
        exchange.isPrompt = true
        return exchange
    }

    mutating func file(_ name: String, isHead: Bool = false) -> SimulatedExchange {
        let size = Self.files.first { $0.0 == name }!.1
        return get("/file/\(name)", Array(KnownBytes.of(size)), isHead: isHead)
    }

    mutating func folder() -> SimulatedExchange {
        var exchange = get("/file/", [])
        exchange.answer.isPage = true
        return exchange
    }

    mutating func get(
        _ path: String, _ body: [UInt8], isHead: Bool = false, isChunked: Bool = false
    ) -> SimulatedExchange {
        let number = nextNumber()
        let method = isHead ? "HEAD" : "GET"
        let head = "\(method) \(path) HTTP/1.1\r\nHost: h\r\nX-Exchange: \(number)\r\n\r\n"
        return SimulatedExchange(
            number: number, head: Array(head.utf8),
            answer: .init(body: body, isHead: isHead, isChunked: isChunked))
    }

    /// A body of known bytes, by length or in chunks as the seed has it or as it is asked for.
    mutating func post(
        _ path: String, _ size: Int, answer: [UInt8], isChunked: Bool = false,
        inChunks: Bool? = nil
    ) -> SimulatedExchange {
        let number = nextNumber()
        let content = KnownBytes.of(size)
        let chunks = inChunks ?? random.isOne(in: 2)
        let framing = chunks ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"
        let head = "POST \(path) HTTP/1.1\r\nHost: h\r\nX-Exchange: \(number)\r\n\(framing)\r\n\r\n"
        return SimulatedExchange(
            number: number, head: Array(head.utf8),
            body: chunks ? self.chunks(content) : Array(content),
            answer: .init(body: answer, isChunked: isChunked))
    }

    /// The same, but the body waits for 100 (Continue).
    mutating func waitingPost(_ path: String, _ size: Int, answer: [UInt8]) -> SimulatedExchange {
        var exchange = post(path, size, answer: answer)
        exchange.addField("Expect: 100-continue")
        exchange.waits = true
        exchange.answer.isContinued = true
        return exchange
    }

    /// One that no handler answers.
    mutating func failing() -> SimulatedExchange {
        let (line, status): (String, Int) = random.pick([
            ("GET /nowhere", 404), ("DELETE /inline", 405), ("BREW /inline", 501),
            ("GET /boom", 500), ("GET /bytes/many", 400),
        ])
        let number = nextNumber()
        let head = "\(line) HTTP/1.1\r\nHost: h\r\nX-Exchange: \(number)\r\n\r\n"
        var answer = SimulatedExchange.Answer(status: status, isNumbered: false)
        answer.body = Array("\(status) \(Self.phrases[status]!)\n".utf8)
        return SimulatedExchange(number: number, head: Array(head.utf8), answer: answer)
    }

    static let phrases = [
        400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout",
        413: "Content Too Large", 414: "URI Too Long", 417: "Expectation Failed",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]

    private mutating func nextNumber() -> String {
        count += 1
        return "\(prefix)-\(count)"
    }

    private mutating func chunks(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var wire: [UInt8] = []
        var rest = content
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.below(max(1, rest.count)))
            wire += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
            rest = rest.dropFirst(piece.count)
        }
        return wire + Array("0\r\n\r\n".utf8)
    }
}
