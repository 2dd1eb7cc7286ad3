import Testing
import WharfHTTP
@testable import WharfServer

/// Answers that are ready before the body has come.
@Suite(.timeLimit(.minutes(1))) struct `An early answer` {
    private static func routes(_ router: Router) {
        router.get("/", on: .loop) { _ in .text("ok") }
        router.post("/ignore", on: .loop, bodyMax: .max) { _ in .text("ignored") }
        router.on(.post, "/inline", .inline { _ in .text("inline") })
        router.post("/small", on: .pool, bodyMax: 100) {
            .bytes(try await $0.body.collect(upTo: 100))
        }
        router.post("/throws", bodyMax: .max) { _ in throw HTTPError(.conflict) }
        router.group("/guarded", Refusing()) { guarded in
            guarded.post("", on: .loop, bodyMax: .max) {
                .bytes(try await $0.body.collect(upTo: .max))
            }
        }
    }

    @Test(arguments: [
        ("/ignore", 200), ("/inline", 200), ("/small", 413), ("/throws", 409), ("/guarded", 401),
        ("/no/where", 404),
    ])
    func `keeps the connection when the body is short`(_ path: String, _ status: Int) async throws {
        try await withServer(routes: Self.routes) { server in
            for bodyField in ["Content-Length: 200000", "Transfer-Encoding: chunked"] {
                if bodyField.hasPrefix("T"), path == "/small" { continue }
                let client = try await server.connect()
                let response = try await client.exchange(request("POST \(path)", [bodyField]))
                #expect(response.status == status && response["Connection"] == nil)
                // Only now does the body come.
                let body = String(repeating: "b", count: 200_000)
                try await client.send(
                    bodyField.hasPrefix("C") ? body : "30d40\r\n\(body)\r\n0\r\n\r\n")
                #expect(try await client.exchange(request("GET /")).text == "ok")
            }
        }
    }

    @Test(arguments: [
        ("/ignore", 200), ("/small", 413), ("/throws", 409), ("/guarded", 401), ("/no/where", 404),
    ])
    func `arrives whole although the client goes on sending`(
        _ path: String, _ status: Int
    ) async throws {
        try await withServer(routes: Self.routes) { server in
            let length = 64 << 20
            // One reads as soon as there is something to read, the other sends until it can't.
            let polite = try await server.connect()
            try await polite.send(request("POST \(path)", ["Content-Length: \(length)"]))
            try await polite.send([UInt8](repeating: 0, count: 100_000))
            let first = try await polite.response()
            #expect(first.status == status && first["Connection"] == "close")
            #expect(first.text.contains(status == 200 ? "ignored" : "\(status)"))
            #expect(try await polite.receiveToEnd().isEmpty)

            let rude = try await server.connect()
            try await rude.send(request("POST \(path)", ["Content-Length: \(length)"]))
            await #expect(throws: (any Error).self, "the server has to end this") {
                try await rude.send([UInt8](repeating: 0, count: length))
            }
            #expect(try await rude.response().status == status)
        }
    }

    @Test(
        arguments: ["/ignore", "/inline", "/throws", "/no/where"],
        ["5\r\r;x", "2 e\r\naa", "g\r\n"])
    func `is 400 when what has come of the body is broken`(
        _ path: String, _ body: String
    ) async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            let response = try await client.exchange(
                request("POST \(path)", ["Transfer-Encoding: chunked"]) + body)
            #expect(response.status == 400 && response["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `leaves a body alone that the response is made of`() async throws {
        try await withServer { router in
            router.post("/echo", on: .loop) { request in
                .stream { writer in
                    for try await piece in request.body { try await writer.write(piece) }
                }
            }
        } _: { server in
            let body = "Transfer-Encoding: chunked"
            let response = try await server.exchange(
                request("POST /echo", [body]) + "3\r\nabc\r\n0\r\n\r\n")
            #expect(response.status == 200 && response.text == "abc")
        }
    }

    @Test func `to a long body that says its length comes before any of it is sent`() async throws {
        try await withServer(routes: Self.routes) { server in
            for expectation in [[], ["Expect: 100-continue"]] {
                let client = try await server.connect()
                let response = try await client.exchange(
                    request("POST /small", ["Content-Length: 101"] + expectation))
                #expect(response.status == 413)
            }
        }
    }

    @Test func `of a middleware comes before the limits of the body`() async throws {
        try await withServer { router in
            router.use(Refusing())
            router.post("/", bodyMax: 10) { .bytes(try await $0.body.collect(upTo: 10)) }
        } _: { server in
            let response = try await server.exchange(request("POST /", ["Content-Length: 11"]))
            #expect(response.status == 401)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "get / http/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func `to what is no request arrives whole, and ends it`(_ bytes: String) async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            try await client.send(bytes + String(repeating: "x", count: 100_000))
            let response = try await client.response()
            #expect(response.status == 400 && response["Connection"] == "close")
            #expect(response["Date"] != nil)
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test(arguments: [nil, "POST /ignore"])
    func `to what is no request is not destroyed by what comes later`(_ before: String?)
        async throws
    {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            if let before {
                // RFC 9112 §9.6: that the body of an earlier request was whole changes nothing.
                let whole = request(before, ["Content-Length: 2"], body: "ab")
                #expect(try await client.exchange(whole).status == 200)
            }
            #expect(try await client.exchange("GET / HTTP/1.1\r\n\r\n").status == 400)
            #expect(try await client.receiveToEnd().isEmpty)
            // A socket that was closed would answer the first with RST, and the second would fail.
            try await client.send("more")
            try await client.send("and more")
        }
    }

    @Test(arguments: [
        ("GET / HTTP/2.0\r\n", 505), ("GET / HTTP/3.0\r\n", 505),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 9000))\r\n", 431),
    ])
    func `has the status that its fault has`(_ bytes: String, _ status: Int) async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            #expect(try await client.exchange(bytes).status == status)
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }
}
