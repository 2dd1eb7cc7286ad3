import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A kept connection` {
    private static func routes(_ router: Router) {
        router.get("/{name}", on: .loop) { .text($0.parameters["name"] ?? "") }
        router.get("/inline", .inline { _ in .text("inline") })
        router.get("/pool", on: .pool) { _ in .text("pool") }
        router.get("/stream", on: .pool) { _ in
            .stream {
                try await $0.write("str")
                try await $0.write("eam")
            }
        }
        router.post("/echo", on: .loop) { request in
            .bytes(try await request.body.collect(upTo: 1 << 20))
        }
        router.post("/ignore", on: .loop) { _ in .text("ignored") }
    }

    struct Wish: Sendable {
        let version: String
        let fields: [String]
        /// The Connection field of the answer.
        let answer: String?
        var isKept: Bool { answer != "close" }

        init(_ version: String, _ fields: [String], _ answer: String?) {
            self.version = version
            self.fields = fields
            self.answer = answer
        }
    }

    @Test(arguments: [
        Wish("HTTP/1.1", [], nil),
        Wish("HTTP/1.1", ["Connection: keep-alive"], nil),
        Wish("HTTP/1.1", ["Connection: foo"], nil),
        Wish("HTTP/1.1", ["Connection: close"], "close"),
        Wish("HTTP/1.1", ["cOnNeCtIoN: CLOSE"], "close"),
        Wish("HTTP/1.1", ["Connection: foo , Close,"], "close"),
        Wish("HTTP/1.1", ["Connection: keep-alive", "Connection: close"], "close"),
        Wish("HTTP/1.1", ["Connection: closed"], nil),
        Wish("HTTP/1.1", ["X: close"], nil),
        Wish("HTTP/1.9", [], nil),
        Wish("HTTP/1.0", [], "close"),
        Wish("HTTP/1.0", ["Host: test"], "close"),
        Wish("HTTP/1.0", ["Connection: Keep-Alive"], "keep-alive"),
        Wish("HTTP/1.0", ["Connection: keep-alive, close"], "close"),
    ])
    func `is kept or closed as the client wishes`(_ wish: Wish) async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            for name in ["a", "b"] {
                let response = try await client.exchange(
                    request("GET /\(name)", wish.fields, version: wish.version))
                #expect(response.status == 200 && response.text == name)
                #expect(response["Connection"] == wish.answer)
                guard wish.isKept else { break }
            }
            if !wish.isKept { #expect(try await client.receive().isEmpty) }
        }
    }

    @Test func `answers pipelined requests in their order`() async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            let names = (0..<500).map { "n\($0)" }
            try await client.send(names.map { request("GET /\($0)") }.joined())
            for name in names { #expect(try await client.response().text == name) }
            #expect(client.isQuiet)
        }
    }

    @Test func `answers pipelined requests of all kinds in their order`() async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            let body = String(repeating: "b", count: 70_000)
            let script: [(request: String, answer: String)] = [
                (request("GET /inline"), "inline"), (request("GET /pool"), "pool"),
                (request("POST /echo", ["Content-Length: 70000"], body: body), body),
                (request("GET /stream"), "stream"),
                (request("POST /ignore", ["Content-Length: 70000"], body: body), "ignored"),
                (
                    request(
                        "POST /echo", ["Transfer-Encoding: chunked"],
                        body: "3\r\nabc\r\n0\r\nTrailer: x\r\n\r\n"), "abc"
                ),
                (
                    request(
                        "POST /ignore", ["Transfer-Encoding: chunked"],
                        body: "3;x=y\r\nabc\r\n0\r\n\r\n"), "ignored"
                ),
                (request("POST /echo", ["Content-Length: 0"]), ""),
                (request("GET /last"), "last"),
            ]
            for _ in 0..<3 {
                try await client.send(script.map(\.request).joined())
                for step in script { #expect(try await client.response().text == step.answer) }
            }
            #expect(client.isQuiet)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\n\n", "\0", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"])
    func `answers the good request before a bad one`(_ bad: String) async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            try await client.send(request("GET /good") + bad + request("GET /never"))
            #expect(try await client.response().text == "good")
            let refusal = try await client.response()
            #expect(refusal.status == 400 && refusal["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `answers nothing that follows a close`() async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            try await client.send(request("GET /a", ["Connection: close"]) + request("GET /b"))
            #expect(try await client.response().text == "a")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `takes requests byte by byte`() async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            let text = request("POST /echo", ["Transfer-Encoding: chunked"], body: "3\r\nabc\r\n")
            for byte in (text + "0\r\n\r\n" + request("GET /b")).utf8 {
                try await client.send([byte])
            }
            #expect(try await client.response().text == "abc")
            #expect(try await client.response().text == "b")
        }
    }

    @Test func `skips up to two empty lines before a request`() async throws {
        try await withServer(routes: Self.routes) { server in
            let client = try await server.connect()
            #expect(try await client.exchange("\r\n\r\n" + request("GET /a")).text == "a")
            #expect(try await client.exchange("\r\n" + request("GET /b")).text == "b")
            #expect(try await client.exchange("\r\n\r\n\r\n" + request("GET /c")).status == 400)
        }
    }

    @Test(arguments: [1, 2, 5])
    func `serves as many requests as it may`(_ requestMax: Int) async throws {
        try await withServer({ $0.requestsPerConnectionMax = requestMax }, routes: Self.routes) {
            server in
            let client = try await server.connect()
            try await client.send((0...requestMax).map { request("GET /n\($0)") }.joined())
            for number in 0..<requestMax {
                let response = try await client.response()
                #expect(response.text == "n\(number)")
                #expect(response["Connection"] == (number + 1 == requestMax ? "close" : nil))
            }
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `ends so that requests on their way do not destroy the last answer`() async throws {
        try await withServer({ $0.requestsPerConnectionMax = 1 }, routes: Self.routes) { server in
            let client = try await server.connect()
            #expect(try await client.exchange(request("GET /a"))["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
            // A socket that was closed would answer the first with RST, and the second would fail.
            try await client.send(request("GET /b"))
            try await client.send(request("GET /c"))
        }
    }

    @Test func `dates its answers`() async throws {
        try await withServer(routes: Self.routes) { server in
            for target in ["/a", "/no/where", "*"] {
                let date = try await server.exchange(request("GET \(target)"))["Date"]
                #expect(try HTTPDate(#require(date)) != nil, "\(target)")
            }
        }
    }

    @Test func `has an answer before the next request's handler ends`() async throws {
        let mayEnd = Signal()
        try await withServer { router in
            router.get("/quick", .inline { _ in .text("quick") })
            router.get("/slow", on: .loop) { _ in
                await mayEnd.wait()
                return .text("slow")
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /quick") + request("GET /slow"))
            #expect(try await client.response().text == "quick")
            mayEnd.set()
            #expect(try await client.response().text == "slow")
        }
    }

    @Test func `answers no request with a status that is not final`() async throws {
        try await withServer { router in
            router.get("/inline", .inline { _ in .status(.continue) })
            router.get("/loop", on: .loop) { _ in .status(.switchingProtocols) }
        } _: { server in
            for path in ["/inline", "/loop"] {
                let client = try await server.connect()
                #expect(try await client.exchange(request("GET \(path)")).status == 500)
                #expect(try await client.exchange(request("GET \(path)")).status == 500)
            }
        }
    }
}
