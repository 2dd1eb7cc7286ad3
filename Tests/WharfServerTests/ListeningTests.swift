import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer
import WharfTesting

@Suite(.timeLimit(.minutes(1))) struct `A listening server` {
    private static func routes(_ router: Router) {
        router.get("/", on: .loop) { request in
            .text("\(request.peer.localAddress) \(request.peer.address.isLoopback)")
        }
    }

    @Test func `answers on IPv4 and IPv6 with one port`() async throws {
        try await withServer {
            $0.addresses = HTTPServer.Configuration(port: 0).addresses
        } routes: {
            Self.routes($0)
        } _: { server in
            let addresses = server.server.addresses
            #expect(addresses.map(\.host) == ["127.0.0.1", "::1"])
            #expect(Set(addresses.map(\.port)).count == 1)
            for address in addresses {
                let response = try await WireClient(address).exchange(request("GET /"))
                #expect(response.text == "\(address) true")
            }
        }
    }

    @Test func `answers on a Unix socket, whose path it takes over and removes`() async throws {
        let folder = try TemporaryFolder()
        let address = SocketAddress.unix(path: folder.path + "/socket")
        for _ in 0..<2 {
            // Left behind by a server that died.
            let system = try System()
            let dead = try Listener(address, backlog: 1, system: system)
            system.close(dead.descriptor)
            try await withServer {
                $0.addresses = [address]
            } routes: {
                Self.routes($0)
            } _: { server in
                let client = try await WireClient(address)
                #expect(try await client.exchange(request("GET /")).text == "\(address) true")
                // One that lives is not taken over.
                #expect(throws: Errno.addressInUse) {
                    try HTTPServer(.init(addresses: [address]), router: Router())
                }
                #expect(try await client.exchange(request("GET /")).status == 200)
            }
            await #expect(throws: Errno.notFound) { try await WireClient(address) }
        }
    }

    @Test func `throws at once when its port is in use`() async throws {
        try await withServer(routes: Self.routes) { server in
            let taken = server.address.port
            #expect(throws: Errno.addressInUse) {
                try HTTPServer(.init(addresses: [.loopback(port: taken)]), router: Router())
            }
            #expect(throws: Errno.addressInUse) {
                try HTTPServer(port: taken) { _ in .text("") }
            }
        }
    }

    @Test func `has its port from the start, and connections wait until it runs`() async throws {
        var configuration = HTTPServer.Configuration(port: 0)
        configuration.protection = nil
        let server = try HTTPServer(configuration, router: Router())
        let client = try await WireClient(server.addresses[0])
        try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        server.router.get("/", on: .loop) { _ in .text("late") }
        async let running: Void = server.run()
        #expect(try await client.response().text == "late")
        await server.stop(within: .zero)
        try await running
    }

    @Test func `frees its port when nobody ever runs it`() async throws {
        let address: SocketAddress
        do {
            let server = try HTTPServer(.init(port: 0), router: Router())
            address = server.addresses[0]
        }
        await #expect(throws: Errno.connectionRefused) { try await WireClient(address) }
    }

    @Test func `may be one of several in a process`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    try await withServer {
                        $0.loopCount = 1 + number % 2
                    } routes: { router in
                        router.get("/", on: number < 2 ? .loop : .pool) { _ in .text("\(number)") }
                    } _: { server in
                        for _ in 0..<20 {
                            let response = try await server.exchange(request("GET /"))
                            #expect(response.text == "\(number)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `deals its connections to its loops`() async throws {
        let threads = Note<Set<UInt>>([])
        try await withServer({ $0.loopCount = 3 }) { router in
            router.get("/", on: .loop) { _ in
                threads.update { _ = $0.insert(threadNumber()) }
                return .text("ok")
            }
            router.get("/pool", on: .pool) { _ in .text("ok") }
        } _: { server in
            var clients: [WireClient] = []
            for _ in 0..<6 { clients.append(try await server.connect()) }
            for client in clients {
                #expect(try await client.exchange(request("GET /")).text == "ok")
                #expect(try await client.exchange(request("GET /pool")).text == "ok")
            }
            #expect(threads.value.count == 3)
        }
    }

    @Test func `numbers its connections`() async throws {
        try await withServer { router in
            router.get("/", on: .loop) { .text("\($0.peer.connectionID)") }
        } _: { server in
            let (first, second) = (try await server.connect(), try await server.connect())
            var numbers: [String] = []
            for client in [first, second, first] {
                numbers.append(try await client.exchange(request("GET /")).text)
            }
            #expect(numbers[0] == numbers[2] && numbers[0] != numbers[1])
        }
    }
}
