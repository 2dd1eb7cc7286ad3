import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

/// Each bound of the configuration, at it and one past it.
@Suite(.timeLimit(.minutes(1))) struct `A limit` {
    private static func routes(_ router: Router) {
        router.get("/{rest...}", .inline { _ in .text("ok") })
    }

    private func expect(
        _ limits: HTTPHeadLimits, _ wanted: [(request: String, status: Int)]
    ) async throws {
        try await withServer({ $0.headLimits = limits }, routes: Self.routes) { server in
            for (text, status) in wanted {
                let client = try await server.connect()
                let response = try await client.exchange(text)
                #expect(response.status == status)
                guard status != 200 else { continue }
                #expect(response["Connection"] == "close")
                #expect(try await client.receiveToEnd().isEmpty)
            }
        }
    }

    @Test func `bounds the request line`() async throws {
        func line(_ count: Int) -> String {
            // `GET /` and ` HTTP/1.1` are 14 bytes of it.
            request("GET /" + String(repeating: "a", count: count - 14))
        }
        try await expect(HTTPHeadLimits(requestLineMax: 100), [(line(100), 200), (line(101), 414)])
        try await expect(HTTPHeadLimits(), [(line(8192), 200), (line(8193), 414)])
    }

    @Test func `bounds one field`() async throws {
        func field(_ count: Int) -> String {
            request("GET /", ["X: " + String(repeating: "a", count: count - 3)])
        }
        try await expect(HTTPHeadLimits(fieldMax: 100), [(field(100), 200), (field(101), 431)])
        try await expect(HTTPHeadLimits(), [(field(8192), 200), (field(8193), 431)])
    }

    @Test func `bounds all fields together`() async throws {
        func fields(_ count: Int) -> String {
            // `Host: test`, then `X: ` 50 times, each with its line end.
            var left = count - 12 - 50 * 5
            var lines: [String] = []
            for number in 0..<50 {
                let size = number == 49 ? left : min(left, 700)
                lines.append("X: " + String(repeating: "a", count: size))
                left -= size
            }
            return request("GET /", lines)
        }
        try await expect(
            HTTPHeadLimits(fieldsMax: 1000), [(fields(1000), 200), (fields(1001), 431)])
        try await expect(HTTPHeadLimits(), [(fields(32768), 200), (fields(32769), 431)])
    }

    @Test func `bounds the number of fields`() async throws {
        func fields(_ count: Int) -> String {
            request("GET /", (1..<count).map { "X\($0): y" })
        }
        try await expect(HTTPHeadLimits(fieldCountMax: 3), [(fields(3), 200), (fields(4), 431)])
        try await expect(HTTPHeadLimits(), [(fields(100), 200), (fields(101), 431)])
    }

    @Test func `refuses without waiting for the rest`() async throws {
        try await expect(
            HTTPHeadLimits(requestLineMax: 100, fieldMax: 100, fieldsMax: 150, fieldCountMax: 2),
            [
                ("GET /" + String(repeating: "a", count: 100), 414),
                ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 100), 431),
                ("GET / HTTP/1.1\r\nA: b\r\nC: d\r\nE", 431),
            ])
    }

    @Test func `bounds the connections, and the next is served when one leaves`() async throws {
        try await withServer({ $0.connectionMax = 2 }, routes: Self.routes) { server in
            let first = try await server.connect()
            #expect(try await first.exchange(request("GET /")).status == 200)
            let second = try await server.connect()
            #expect(try await second.exchange(request("GET /")).status == 200)
            // The kernel takes it, the server does not.
            let third = try await server.connect()
            try await third.send(request("GET /"))
            for _ in 0..<10 { #expect(try await first.exchange(request("GET /")).status == 200) }
            #expect(third.isQuiet)
            #expect(server.log.lines == ["all 2 connections are taken; more have to wait"])
            second.close()
            #expect(try await third.response().status == 200)
            #expect(try await first.exchange(request("GET /")).status == 200)
        }
    }

    @Test func `that is lowered to what the process may open is told`() throws {
        let log = LogRecorder()
        var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
        configuration.protection = nil
        configuration.log = log.log
        configuration.connectionMax = .max
        _ = try HTTPServer(configuration, router: Router())
        #expect(log.lines.count == 1)
        let line = try #require(log.lines(.notice).first)
        #expect(line.hasPrefix("at most ") && line.contains(" connections and not \(Int.max):"))
        configuration.connectionMax = 1
        _ = try HTTPServer(configuration, router: Router())
        #expect(log.lines.count == 1)
    }

    @Test func `never keeps a server from serving one connection`() async throws {
        try await withServer {
            $0.connectionMax = -1
            $0.loopCount = 0
            $0.poolThreadMax = 0
            $0.poolQueueMax = -1
            $0.requestsPerConnectionMax = 0
            $0.backlog = 1
        } routes: { router in
            router.get("/", on: .pool) { _ in .text("ok") }
        } _: { server in
            for _ in 0..<3 {
                let response = try await server.exchange(request("GET /"))
                #expect(response.text == "ok" && response["Connection"] == "close")
            }
        }
    }

    @Test func `in durations beyond reason does no harm`() async throws {
        for duration in [Duration.seconds(Int64.max), .seconds(-1), .zero, .nanoseconds(1)] {
            try await withServer {
                $0.writeTimeout = duration
                $0.bodyTimeout = duration
                $0.drainTimeout = duration
            } routes: { router in
                router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 10)) }
            } _: { server in
                let response = try await server.exchange(
                    request("POST /", ["Content-Length: 2"], body: "ab"))
                #expect(response.text == "ab")
            }
        }
    }
}

@Suite struct `A count of connections` {
    private let far = SocketAddress.ipv4(0xC000_0201, port: 1)

    @Test func `is bounded for each address`() {
        let counter = ConnectionCounter(max: 2000, perAddressMax: 2)
        #expect(counter.add(far) == 1)
        #expect(counter.add(far.with(port: 2)) == 2)
        #expect(counter.add(far.with(port: 3)) == nil)
        #expect(counter.count == 2)
        #expect(counter.add(.ipv4(0xC000_0202, port: 1)) == 3)
        #expect(counter.remove(far) == 2)
        #expect(counter.add(far) == 3)
        #expect(counter.add(far) == nil)
    }

    @Test func `takes the /64 of an IPv6 host as one address`() {
        let counter = ConnectionCounter(max: 2000, perAddressMax: 1)
        func six(_ high: UInt64, _ low: UInt64) -> SocketAddress {
            .ipv6(high: high, low: low, scope: 0, port: 1)
        }
        #expect(counter.add(six(1, 1)) == 1)
        #expect(counter.add(six(1, 2)) == nil)
        #expect(counter.add(six(2, 1)) == 2)
    }

    @Test(arguments: [
        SocketAddress.loopback(port: 1), .ipv4(0x7F12_3456, port: 1), .loopback6(port: 1),
        .ipv6(high: 0, low: 0xFFFF_7F00_0001, scope: 0, port: 1), .unix(path: ""),
    ])
    func `has no bound for this machine`(_ address: SocketAddress) {
        let counter = ConnectionCounter(max: 2000, perAddressMax: 1)
        for count in 1...10 { #expect(counter.add(address) == count) }
        for count in (0...9).reversed() { #expect(counter.remove(address) == count) }
    }

    @Test func `has no bound where none is wanted`() {
        let counter = ConnectionCounter(max: 2000, perAddressMax: 0)
        for count in 1...10 { #expect(counter.add(far) == count) }
    }

    @Test(arguments: [(1, 1), (2, 2), (5, 5), (10, 9), (1000, 801)])
    func `says when four fifths are taken`(_ max: Int, _ crowd: Int) {
        let counter = ConnectionCounter(max: max, perAddressMax: 0)
        for count in 1...crowd {
            #expect(!counter.isCrowded)
            #expect(counter.add(far) == count)
        }
        #expect(counter.isCrowded)
        _ = counter.remove(far)
        #expect(!counter.isCrowded)
    }

    @Test func `never gives a number twice`() async {
        let counter = ConnectionCounter(max: 2000, perAddressMax: 0)
        let numbers = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 { group.addTask { (0..<250).map { _ in counter.nextID() } } }
            return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(numbers.count == 1000)
    }
}
