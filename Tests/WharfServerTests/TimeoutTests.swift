import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A clock` {
    private static let short = Duration.milliseconds(80)

    private static func routes(_ router: Router) {
        router.get("/", .inline { _ in .text("ok") })
        router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 1000)) }
    }

    /// Runs the closure and expects that it takes at least the short time, and not much longer.
    private func expectShortTime<R>(_ body: () async throws -> R) async throws -> R {
        let before = ContinuousClock.now
        let result = try await body()
        let taken = ContinuousClock.now - before
        #expect(taken >= Self.short && taken < .seconds(5))
        return result
    }

    @Test func `ends a connection that asks nothing`() async throws {
        try await withServer({ $0.idleTimeout = Self.short }, routes: Self.routes) { server in
            let freshEnd = try await expectShortTime {
                try await server.connect().receiveToEnd()
            }
            #expect(freshEnd.isEmpty)
            let used = try await server.connect()
            let usedEnd = try await expectShortTime {
                for _ in 0..<3 { #expect(try await used.exchange(request("GET /")).status == 200) }
                return try await used.receiveToEnd()
            }
            #expect(usedEnd.isEmpty)
        }
    }

    @Test func `ends a head that does not come to an end`() async throws {
        try await withServer({ $0.headTimeout = Self.short }, routes: Self.routes) { server in
            for part in ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "\r\n"] {
                let client = try await server.connect()
                try await expectShortTime {
                    try await client.send(part)
                    let response = try await client.response()
                    #expect(response.status == 408 && response["Connection"] == "close")
                }
                #expect(try await client.receiveToEnd().isEmpty)
            }
        }
    }

    @Test func `of a head runs from its first byte, however many follow`() async throws {
        try await withServer({ $0.headTimeout = Self.short }, routes: Self.routes) { server in
            let (slow, quick) = (try await server.connect(), try await server.connect())
            #expect(try await slow.exchange(request("GET /")).status == 200)
            try await slow.send("GET / HTTP/1.1\r\nX: ")
            // Each round trip of the other connection lets the server read one byte of this one.
            for _ in 0..<8000 where slow.isQuiet {
                try await slow.send("x")
                #expect(try await quick.exchange(request("GET /")).status == 200)
            }
            #expect(try await slow.response().status == 408)
        }
    }

    @Test func `does not run before the first byte of a head`() async throws {
        try await withServer {
            $0.headTimeout = .zero
        } routes: {
            Self.routes($0)
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(request("GET /")).status == 200)
            #expect(try await client.exchange(request("GET /")).status == 200)
        }
    }

    @Test(arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
    func `ends a body that stalls`(_ field: String) async throws {
        try await withServer({ $0.bodyTimeout = Self.short }, routes: Self.routes) { server in
            let client = try await server.connect()
            try await expectShortTime {
                try await client.send(request("POST /", [field], body: "1"))
                let response = try await client.response()
                #expect(response.status == 408 && response["Connection"] == "close")
            }
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `does not run while a handler takes its time`() async throws {
        let isOver = Note(false)
        try await withServer {
            $0.idleTimeout = .milliseconds(5)
            $0.headTimeout = .milliseconds(5)
            $0.bodyTimeout = .milliseconds(5)
            $0.writeTimeout = .milliseconds(5)
        } routes: { router in
            router.post("/", on: .pool) { request in
                let before = ContinuousClock.now
                blockThread { ContinuousClock.now - before > .milliseconds(60) }
                isOver.value = true
                return .bytes(try await request.body.collect(upTo: 10))
            }
        } _: { server in
            let response = try await server.exchange(
                request("POST /", ["Content-Length: 2"], body: "ab"))
            #expect(response.text == "ab" && isOver.value)
        }
    }
}
