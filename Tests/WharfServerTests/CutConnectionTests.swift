import Testing
import WharfHTTP
import WharfNet
import WharfTesting

@testable import WharfServer

/// Conversations whose bytes arrive in two packets, whatever stands where they were cut.
@Suite(.timeLimit(.minutes(1))) struct `A conversation that is cut anywhere` {
    private static let chunked = ["Transfer-Encoding: chunked"]

    /// Good ones, bad ones, and several on one connection.
    static let conversations: [String] = [
        request("GET /"), request("GET /", version: "HTTP/1.0"), request("HEAD /a/b?c"),
        "\r\n" + request("GET /"), request("GET /", ["Connection: close"]),
        request("POST /", ["Content-Length: 5"], body: "hello"),
        request("POST /", ["Content-Length: 5"], body: "hello") + request("GET /second"),
        request("POST /", chunked, body: "5\r\nhello\r\n6;a=\"b\"\r\n world\r\n0\r\nX: y\r\n\r\n")
            + request("POST /", chunked, body: "0\r\n\r\n") + request("GET /third"),
        request("POST /", ["Content-Length: 5", "Expect: 100-continue"], body: "hello"),
        request(
            "PUT /", ["Connection: keep-alive", "Content-Length: 2"], version: "HTTP/1.0",
            body: "hi")
            + request("GET /second"),
        // Refused, at once or after a good one.
        request("GET /", ["X : y"]), request("GET /", ["X: a\u{0}b"]), request("GET /a b"),
        request("GET /") + "BAD\r\n\r\n", request("GET /", version: "HTTP/2.0"),
        request("GET /", ["Host: second"]), "GET / HTTP/1.1\nHost: a\n\n",
        request("POST /", ["Content-Length: 5"] + chunked, body: "0\r\n\r\n" + request("GET /")),
        request("POST /", ["Transfer-Encoding: gzip, chunked"], body: "0\r\n\r\n"),
        request("POST /", chunked, body: "5\r\nhelloX\r\n0\r\n\r\n"),
        request("POST /", chunked, body: "5 \r\nhello\r\n0\r\n\r\n"),
        request("POST /", chunked, body: "5\r\nhello\r\n0\r\nX : y\r\n\r\n"),
        request("POST /", ["Content-Length: 101"], body: String(repeating: "a", count: 101)),
        request(
            "POST /", chunked, body: "65\r\n" + String(repeating: "a", count: 101) + "\r\n0\r\n\r\n"
        ),
        request("POST /", ["Expect: something"], body: ""),
        request("GET /", ["X: " + String(repeating: "a", count: 100)]),
        "GET /" + String(repeating: "a", count: 100) + " HTTP/1.1\r\nHost: a\r\n\r\n",
        // Never whole: answered 408 in their time.
        "GET / HTTP/1.1\r\nHost: a\r\n", request("POST /", ["Content-Length: 9"], body: "hello"),
    ]

    /// Every route reads its body: an answer that does not wait for it may come before its error.
    private static func router() -> Router {
        let router = Router()
        router.on(nil, "/{rest...}", bodyMax: 100) { request in
            let body = try await request.body.collect(upTo: 100)
            return .text("\(request.path): \(String(decoding: body, as: UTF8.self))\n")
        }
        return router
    }

    @Test(arguments: conversations.indices)
    func `is answered as if it came whole`(index: Int) async throws {
        let simulation = Simulation(seed: UInt64(index), filter: "CutConnectionTests")
        try await simulation.run {
            var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 80)])
            configuration.protection = nil
            configuration.log = .none
            configuration.headLimits = HTTPHeadLimits(requestLineMax: 80, fieldMax: 80)
            let server = try HTTPServer(
                configuration, router: Self.router(), engine: simulation.engine)
            let bytes = Array(Self.conversations[index].utf8)
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run() }
                let whole = try await Self.answer([bytes[...]], in: simulation)
                #expect(!whole.isEmpty)
                for cut in 1..<bytes.count {
                    let halves = try await Self.answer(
                        [bytes[..<cut], bytes[cut...]], in: simulation)
                    #expect(halves == whole, "cut at \(cut)")
                }
                let single = try await Self.answer(
                    bytes.indices.map { bytes[$0...$0] }, in: simulation)
                #expect(single == whole, "byte by byte")
                await server.stop(within: .zero)
                try await group.waitForAll()
            }
        }
    }

    /// All that comes back, up to the end of the connection.
    ///
    /// But for the date, and for 100, which is right only where the body was late.
    private static func answer(
        _ pieces: [ArraySlice<UInt8>], in simulation: Simulation
    ) async throws -> [String] {
        let client = try SimulatedClient(connectingTo: .loopback(port: 80), in: simulation)
        defer { client.close() }
        for piece in pieces {
            // Who has been refused may find the connection closed.
            try? await client.send(piece)
            // A packet that comes before the one before it was read would not be a cut.
            guard await client.stall(1_000_000) else { break }
        }
        var received: [UInt8] = []
        do throws(Errno) {
            while let more = try await client.receive() { received += more }
        } catch {
            received += Array("connection ended by \(error)".utf8)
        }
        let lines = String(decoding: received, as: UTF8.self).split(separator: "\r\n")
        return lines.map(String.init).filter {
            !$0.hasPrefix("Date: ") && $0 != "HTTP/1.1 100 Continue"
        }
    }
}
