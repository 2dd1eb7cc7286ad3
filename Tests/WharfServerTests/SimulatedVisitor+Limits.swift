import WharfNet
import WharfTesting

@testable import WharfServer

/// The times of a server's configuration, in nanoseconds.
struct HTTPLimitTimes {
    let head: UInt64
    let idle: UInt64
    let body: UInt64
    let write: UInt64

    init(_ world: SimulatedWorld) {
        head = world.configuration.headTimeout.nanoseconds
        idle = world.configuration.idleTimeout.nanoseconds
        body = world.configuration.bodyTimeout.nanoseconds
        write = world.configuration.writeTimeout.nanoseconds
    }
}

/// Those who are too slow: the server ends it, and when it said it would.
extension SimulatedVisitor {
    mutating func stallInHead() async throws {
        let head = maker.hello().head
        let started = client.now
        try? await client.send(head.prefix(random.within(1...(head.count - 1))))
        try await talk.expectRefusal(408)
        try expect(limits.head, after: started)
    }

    /// Byte after byte: the time runs from the first one.
    mutating func dripHead() async throws {
        let head = maker.hello().head
        let pause = limits.head / 8
        let started = client.now
        let talk = talk
        try await withThrowingTaskGroup { group in
            group.addTask {
                for byte in head {
                    guard (try? await talk.client.send([byte])) != nil,
                        await talk.client.stall(pause)
                    else { return }
                }
            }
            try await talk.expectRefusal(408)
            try expect(limits.head, after: started)
            talk.client.close()
        }
    }

    mutating func stallInBody() async throws {
        let exchange = maker.post("/echo", 1000, answer: [])
        let count = random.below(exchange.body.count)
        try? await client.send(exchange.head + exchange.body.prefix(count))
        let started = client.now
        try await talk.expectRefusal(408)
        try expect(limits.body, after: started)
    }

    /// Asks for more than the buffers hold, and reads none of it.
    mutating func stallReading() async throws {
        let paths = ["/bytes/900000", "/stream/900000", "/file/large"]
        try? await client.send(maker.get(random.pick(paths), []).head)
        let started = client.now
        let hasSlept = await client.stall(limits.write + 10_000_000_000)
        if world.drainStart != nil { return }
        guard !hasSlept else { throw WrongAnswer("a client that reads nothing is kept") }
        try expect(limits.write, after: started)
        do {
            let answer = try await talk.next()
            throw WrongAnswer("an answer that was cut looks whole: \(answer.body.count) bytes")
        } catch let cut as AnswerCut {
            guard !cut.isFinish else { throw WrongAnswer("FIN after a part of an answer") }
        }
    }

    mutating func idle(after exchanges: [SimulatedExchange]) async throws {
        if !exchanges.isEmpty, try await !talk.exchange(exchanges) { return }
        let started = client.now
        try await talk.expectEnd()
        try expect(limits.idle, after: started)
    }

    private func expect(_ limit: UInt64, after started: UInt64) throws {
        if world.drainStart != nil { return }
        let elapsed = client.now - started
        // The server may have begun to wait a little before its answer arrived here.
        guard elapsed + lateMax >= limit, elapsed <= limit + lateMax else {
            throw WrongAnswer("a limit of \(limit) ns fired after \(elapsed) ns")
        }
    }
}

/// Heads that are refused, and how. What follows them is no matter.
enum MalformedHeads {
    static let all: [(text: String, status: Int)] = [
        ("GET /inline HTTP/1.1\r\n\r\n", 400),
        ("GET /inline HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET  /inline HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET /inline HTTP/1.1\r\nHost: h\r\n X: folded\r\n\r\nGET / HTTP/1.1", 400),
        ("GET /inline HTTP/1.1\r\nHost : h\r\n\r\n", 400),
        ("GET /inline HTTP/1.1\nHost: h\n\n", 400),
        ("GET /inline HTTP/2.0\r\nHost: h\r\n\r\n", 505),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\r\n\r\n", 400),
        ("GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 9000) + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 101) + "\r\n", 431),
        ("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n\r\nabcde", 400),
        (
            "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"
                + "\r\n0\r\n\r\nGET / HTTP/1.1\r\n", 400
        ),
        ("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: h\r\nExpect: gold\r\nContent-Length: 1\r\n\r\na", 417),
        ("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
    ]
}
