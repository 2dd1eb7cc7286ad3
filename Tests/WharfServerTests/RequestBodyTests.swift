import Testing
import WharfHTTP
@testable import WharfServer

/// How a test's handler reads, and how its client sends.
struct BodyWay: Sendable, CustomTestStringConvertible {
    let place: Execution
    let isCollected: Bool
    let isChunked: Bool

    static let all = [Execution.loop, .pool].flatMap { place in
        [true, false].flatMap { isCollected in
            [true, false].map {
                BodyWay(place: place, isCollected: isCollected, isChunked: $0)
            }
        }
    }

    var testDescription: String {
        "\(place), \(isCollected ? "collected" : "in pieces"), \(isChunked ? "chunked" : "by length")"
    }

    func read(_ request: Request, upTo byteCountMax: Int) async throws -> [UInt8] {
        if isCollected { return try await request.body.collect(upTo: byteCountMax) }
        var all: [UInt8] = []
        for try await piece in request.body {
            #expect(!piece.isEmpty)
            all += piece
        }
        return all
    }

    /// A request for `/` with that body; chunks are of growing size.
    func upload(_ body: [UInt8]) -> [UInt8] {
        guard isChunked else {
            return Array(request("POST /", ["Content-Length: \(body.count)"]).utf8) + body
        }
        var bytes = Array(request("POST /", ["Transfer-Encoding: chunked"]).utf8)
        var rest = body[...]
        var size = 1
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk
            bytes += Array("\r\n".utf8)
            rest = rest.dropFirst(size)
            size = size * 3 + 1
        }
        return bytes + Array("0\r\n\r\n".utf8)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A request's body` {
    @Test(arguments: BodyWay.all)
    func `arrives whole`(_ way: BodyWay) async throws {
        try await withServer { router in
            router.post("/", on: way.place) { request in
                #expect(request.body.length == nil || !way.isChunked)
                return .bytes(try await way.read(request, upTo: 400_000))
            }
        } _: { server in
            let client = try await server.connect()
            for count in [0, 1, 2, 65_535, 65_536, 65_537, 300_000] {
                let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
                try await client.send(way.upload(body))
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.body == body, "\(count) bytes")
            }
        }
    }

    @Test(arguments: BodyWay.all)
    func `may be as long as its route allows`(_ way: BodyWay) async throws {
        try await withServer({ $0.bodyMax = 10 }) { router in
            router.on(.post, "/", on: way.place, bodyMax: 1000) { request in
                .bytes(try await way.read(request, upTo: .max))
            }
        } _: { server in
            for (count, status) in [(1000, 200), (1001, 413)] {
                let client = try await server.connect()
                try await client.send(way.upload([UInt8](repeating: 65, count: count)))
                let response = try await client.response()
                #expect(response.status == status)
                // A chunked body that was refused has an end that nobody has looked for.
                if status == 413, way.isChunked { #expect(response["Connection"] == "close") }
            }
        }
    }

    @Test(arguments: [true, false])
    func `may be as long as the server allows`(isInline: Bool) async throws {
        try await withServer({ $0.bodyMax = 1000 }) { router in
            if isInline {
                router.on(.post, "/", .inline { _ in .text("ok") })
            } else {
                router.post("/", on: .loop) { _ in .text("ok") }
            }
        } _: { server in
            for (count, status) in [(1000, 200), (1001, 413)] {
                let client = try await server.connect()
                let upload = request("POST /", ["Content-Length: \(count)"])
                try await client.send(upload + String(repeating: "a", count: count))
                #expect(try await client.response().status == status)
                // It is short enough to be thrown away.
                #expect(try await client.exchange(request("POST /")).status == 200)
            }
        }
    }

    @Test func `is collected up to a bound`() async throws {
        try await withServer { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 10)) }
        } _: { server in
            for isChunked in [true, false] {
                let way = BodyWay(place: .loop, isCollected: true, isChunked: isChunked)
                for (count, status) in [(10, 200), (11, 413)] {
                    let client = try await server.connect()
                    try await client.send(way.upload([UInt8](repeating: 65, count: count)))
                    #expect(try await client.response().status == status)
                    #expect(try await client.exchange(request("POST /")).status == 200)
                }
            }
        }
    }

    @Test func `can be read with a time limit of the app's own`() async throws {
        let hasGivenUp = Signal()
        try await withServer { router in
            router.post("/", on: .pool) { request in
                let reading = Task { try await request.body.collect(upTo: 100) }
                reading.cancel()
                await #expect(throws: CancellationError.self) { try await reading.value }
                hasGivenUp.set()
                return .bytes(try await request.body.collect(upTo: 100))
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("POST /", ["Content-Length: 4"]))
            await hasGivenUp.wait()
            try await client.send("body")
            #expect(try await client.response().text == "body")
        }
    }

    @Test func `is read once, whoever goes on`() async throws {
        let hasBegun = Signal()
        try await withServer { router in
            router.post("/", on: .loop) { request in
                var text = ""
                for try await piece in request.body {
                    text += "<\(String(decoding: piece, as: UTF8.self))>"
                    break
                }
                hasBegun.set()
                let rest = try await request.body.collect(upTo: 100)
                #expect(try await request.body.collect(upTo: 100).isEmpty)
                return .text(text + String(decoding: rest, as: UTF8.self))
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(
                request("POST /", ["Transfer-Encoding: chunked"], body: "3\r\nabc\r\n"))
            await hasBegun.wait()
            try await client.send("4\r\ndefg\r\n0\r\n\r\n")
            #expect(try await client.response().text == "<abc>defg")
        }
    }

    @Test func `may be read while the answer is written`() async throws {
        try await withServer { router in
            router.post("/", on: .pool) { request in
                .stream { writer in
                    for try await piece in request.body { try await writer.write(piece) }
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("POST /", ["Content-Length: 6"]))
            var received = ""
            for part in ["ab", "cd", "ef"] {
                try await client.send(part)
                while !received.contains(part) {
                    received += String(decoding: try await client.receive(), as: UTF8.self)
                }
            }
            // The end may have come with the last piece.
            while !received.hasSuffix("\r\n0\r\n\r\n") {
                received += String(decoding: try await client.receive(), as: UTF8.self)
            }
            #expect(client.isQuiet)
        }
    }

    // MARK: Broken ones

    @Test(arguments: [
        ("Content-Length: 10", "short"),
        ("Transfer-Encoding: chunked", "a\r\nshort"),
        ("Transfer-Encoding: chunked", "5\r\nshort"),
        ("Transfer-Encoding: chunked", "5\r\nshort\r\n0\r\n"),
        ("Transfer-Encoding: chunked", ""),
    ])
    func `that ends early is an error and never looks whole`(
        _ field: String, _ part: String
    ) async throws {
        for way in BodyWay.all {
            let outcome = Note<Result<[UInt8], any Error>?>(nil)
            try await withServer { router in
                router.post("/", on: way.place) { request in
                    do {
                        outcome.value = .success(try await way.read(request, upTo: 100))
                    } catch {
                        outcome.value = .failure(error)
                        throw error
                    }
                    return .text("whole")
                }
            } _: { server in
                let client = try await server.connect()
                try await client.send(request("POST /", [field], body: part))
                client.finish()
                let response = try await client.response()
                #expect(response.status == 400 && response["Connection"] == "close")
                #expect(try await client.receiveToEnd().isEmpty)
                #expect((outcome.value?.failure as? HTTPError)?.status == .badRequest)
            }
        }
    }

    @Test(arguments: ["x\r\n", "5\nhello\r\n", "5\r\nhello0\r\n", "ffffffffffffffffff\r\n"])
    func `that breaks the framing ends the connection, whatever its handler does`(
        _ bytes: String
    ) async throws {
        let outcomes = Note<[String]>([])
        try await withServer { router in
            router.post("/", on: .loop) { request in
                for _ in 0..<2 {
                    do {
                        _ = try await request.body.collect(upTo: 100)
                        outcomes.update { $0.append("whole") }
                    } catch {
                        outcomes.update { $0.append("broken") }
                    }
                }
                return .text("never mind")
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(
                request("POST /", ["Transfer-Encoding: chunked"], body: bytes)
                    + request("GET /smuggled"))
            let response = try await client.response()
            #expect(response.status == 200 && response["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
            #expect(outcomes.value == ["broken", "broken"])
        }
    }

    @Test func `comes in few pieces, however small its chunks are`() async throws {
        let pieceCount = Note(0)
        try await withServer { router in
            router.post("/", on: .pool) { request in
                var byteCount = 0
                for try await piece in request.body {
                    byteCount += piece.count
                    pieceCount.value += 1
                }
                return .text("\(byteCount)")
            }
        } _: { server in
            let chunkCount = 200_000
            let client = try await server.connect()
            let body = String(repeating: "1\r\nx\r\n", count: chunkCount) + "0\r\n\r\n"
            try await client.send(request("POST /", ["Transfer-Encoding: chunked"]) + body)
            #expect(try await client.response().text == "\(chunkCount)")
            // Each time that something has come, and not each chunk.
            #expect(pieceCount.value < chunkCount / 100)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
