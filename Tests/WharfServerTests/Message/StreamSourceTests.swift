import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A body that comes piece by piece` {
    private struct Fault: Error {}

    private func pieces(_ texts: [String], thenThrows: Bool) -> AsyncThrowingStream<
        [UInt8], any Error
    > {
        AsyncThrowingStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish(throwing: thenThrows ? Fault() : nil)
        }
    }

    private func addRoutes(to router: Router, pulled: Note<Int>) {
        router.get("/sequence") { _ in
            .stream(contentType: "text/x", of: pieces(["ab", "", "c"], thenThrows: false))
        }
        router.get("/broken") { _ in
            .stream(of: pieces(["ab"], thenThrows: true))
        }
        router.get("/short") { _ in
            .stream(length: 5, of: pieces(["ab", "c"], thenThrows: false))
        }
        router.get("/pulled") { _ in
            let left = Note(["ab", "", "c"])
            return .stream(
                length: 3,
                pulling: {
                    pulled.value += 1
                    return left.update { $0.isEmpty ? nil : Array($0.removeFirst().utf8) }
                })
        }
    }

    @Test func `may be a sequence, or pulled out of a closure`() async throws {
        let pulled = Note(0)
        try await withServer { router in
            addRoutes(to: router, pulled: pulled)
        } _: { server in
            let client = try await server.connect()
            let sequence = try await client.exchange(request("GET /sequence"))
            #expect(sequence.text == "abc" && sequence["Content-Type"] == "text/x")
            let head = try await client.exchange(request("HEAD /pulled"))
            #expect(head["Content-Length"] == "3" && pulled.value == 0)
            #expect(try await client.exchange(request("GET /pulled")).text == "abc")
            #expect(pulled.value >= 3)
        }
    }

    @Test(arguments: ["/broken", "/short"])
    func `is cut if it breaks`(_ path: String) async throws {
        try await withServer { router in
            addRoutes(to: router, pulled: Note(0))
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET \(path)"))
            await #expect(throws: (any Error).self) { try await client.response() }
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A trailer` {
    private func received(
        _ fields: [String], version: String = "HTTP/1.1", length: Int64? = nil
    ) async throws -> String {
        try await withServer { router in
            router.get("/") { _ in
                .stream(length: length) { writer in
                    try await writer.write("abc")
                    let name = try #require(HTTPField.Name("X-Sum"))
                    try await writer.setTrailers([name: "1\r\nX-Evil: 2"])
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(
                request("GET /", fields + ["Connection: close"], version: version))
            return String(decoding: try await client.receiveToEnd(), as: UTF8.self)
        }
    }

    @Test(arguments: ["trailers", "deflate;q=0.5, Trailers", "trailers;q=0.1"])
    func `is sent to clients that keep it`(_ value: String) async throws {
        let text = try await received(["TE: \(value)"])
        #expect(text.hasSuffix("\r\n3\r\nabc\r\n0\r\nX-Sum: 1  X-Evil: 2\r\n\r\n"))
    }

    @Test(arguments: [[], ["TE: deflate"], ["TE: trailers;q=0"], ["TE:"]])
    func `is kept back from others`(_ fields: [String]) async throws {
        #expect(try await received(fields).hasSuffix("\r\n3\r\nabc\r\n0\r\n\r\n"))
    }

    @Test func `follows no body that isn't chunked`() async throws {
        #expect(try await received(["TE: trailers"], length: 3).hasSuffix("\r\n\r\nabc"))
        let old = try await received(["TE: trailers"], version: "HTTP/1.0")
        #expect(old.hasSuffix("\r\n\r\nabc"))
    }

    @Test(arguments: [
        "Content-Length", "transfer-encoding", "Set-Cookie", "Content-Type", "Trailer", "Host",
        "Cache-Control", "WWW-Authenticate", "Content-Encoding",
    ])
    func `can't be a field that is needed before`(_ name: String) async throws {
        let kind = Note<HTTPExchangeError.Kind?>(nil)
        try await withServer { router in
            router.get("/") { _ in
                .stream { writer in
                    let name = try #require(HTTPField.Name(name))
                    do {
                        try await writer.setTrailers([name: "1"])
                    } catch let error as HTTPExchangeError {
                        kind.value = error.kind
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(request("GET /", ["TE: trailers"])).body.isEmpty)
            #expect(kind.value == .forbiddenTrailer)
        }
    }
}
