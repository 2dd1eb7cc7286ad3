import TestSupport
import Testing
import WharfNet
import WharfTesting

@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The endpoints of a server` {
    private let machine = [
        InterfaceAddress(
            address: .ipv4(0xC0A8_0107, port: 0),
            interface: NetworkInterface(name: "eth0", kind: .ethernet)),
        InterfaceAddress(
            address: .ipv6(high: 0xFD00_0000_0000_0000, low: 7, scope: 0, port: 0),
            interface: NetworkInterface(name: "eth0", kind: .ethernet)),
        InterfaceAddress(
            address: .loopback(port: 0),
            interface: NetworkInterface(name: "lo", kind: .loopback)),
    ]

    private func server(_ addresses: [SocketAddress]) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration(addresses: addresses)
        configuration.log = .none
        return try HTTPServer(configuration, router: Router())
    }

    @Test func `are all addresses of the machine for one that listens everywhere`() throws {
        let server = try server([.any(port: 0), .any6(port: 0)])
        let port = server.addresses[0].port
        let endpoints = server.endpoints(on: machine)
        #expect(
            endpoints.map(\.url) == [
                "http://192.168.1.7:\(port)/", "http://[fd00::7]:\(port)/",
                "http://127.0.0.1:\(port)/",
            ])
        #expect(endpoints.map { $0.interface?.name } == ["eth0", "eth0", "lo"])
    }

    @Test func `are its own addresses for one that doesn't`() throws {
        let folder = try TemporaryFolder()
        let socket = SocketAddress.unix(path: folder.path + "/socket")
        let server = try server([.loopback(port: 0), socket])
        #expect(
            server.endpoints(on: machine).map(\.url)
                == ["http://\(server.addresses[0])/", "unix:\(folder.path)/socket"])
    }

    @Test(arguments: [("http", 80, "http://1.2.3.4/"), ("http", 443, "http://1.2.3.4:443/")])
    func `leave out the port that is the scheme's own`(scheme: String, port: Int, url: String) {
        let address = SocketAddress.ipv4(0x0102_0304, port: UInt16(port))
        #expect(HTTPServer.Endpoint(address, nil, scheme: scheme).url == url)
        let six = SocketAddress.ipv6(high: 1 << 48, low: 1, scope: 0, port: UInt16(port))
        let authority = port == 80 ? "[1::1]" : "[1::1]:443"
        #expect(
            HTTPServer.Endpoint(six, nil, scheme: scheme).url == "http://\(authority)/")
    }

    @Test func `are told again when the machine's addresses change, and at once`() async throws {
        let server = try server([.loopback(port: 0)])
        for await endpoints in server.endpointChanges() {
            #expect(endpoints == server.endpoints)
            return
        }
    }

    @Test func `a port that is taken gives way to the next that all addresses can have`() throws {
        let taken = try server([.loopback(port: 0)])
        let port = taken.addresses[0].port
        var configuration = HTTPServer.Configuration(addresses: [
            .loopback6(port: port), .loopback(port: port),
        ])
        #expect(throws: Errno.addressInUse) {
            try HTTPServer(configuration, router: Router())
        }
        configuration.otherPorts = [port, 0]
        let other = try HTTPServer(configuration, router: Router())
        #expect(other.addresses.allSatisfy { $0.port != port && $0.port != 0 })
        #expect(Set(other.addresses.map(\.port)).count == 1)
    }

    @Test func `a server that is suspended frees its port, and has it again`() async throws {
        try await withServer(routes: { $0.get("/", on: .loop) { _ in .text("here") } }) { server in
            let address = server.address
            let kept = try await server.connect()
            #expect(try await kept.exchange(request("GET /")).text == "here")
            await server.server.suspend()
            #expect(!server.server.isListening && server.server.endpoints.isEmpty)
            await #expect(throws: Errno.connectionRefused) { try await WireClient(address) }
            // Connections go on.
            #expect(try await kept.exchange(request("GET /")).text == "here")
            let thief = try self.server([address])
            await #expect(throws: Errno.addressInUse) { try await server.server.resume() }
            #expect(!server.server.isListening)
            withExtendedLifetime(thief) {}
        }
    }

    @Test func `a server that is resumed answers at the same port`() async throws {
        try await withServer(routes: { $0.get("/", on: .loop) { _ in .text("here") } }) { server in
            // Before it runs there is nothing to suspend.
            #expect(try await server.exchange(request("GET /")).text == "here")
            let events = server.server.events()
            for _ in 0..<3 {
                await server.server.suspend()
                await server.server.suspend()
                try await server.server.resume()
                try await server.server.resume()
                #expect(try await server.exchange(request("GET /")).text == "here")
            }
            await server.server.stop(within: .zero)
            var names: [String] = []
            for await event in events {
                switch event {
                case .suspended: names.append("suspended")
                case .resumed: names.append("resumed")
                default: break
                }
            }
            #expect(names == Array(repeating: ["suspended", "resumed"], count: 3).flatMap(\.self))
        }
    }

    @Test func `reloading runs the hook, and its failure is one line`() async throws {
        let count = Note(0)
        try await withServer {
            $0.hooks.reloads = { _ in
                count.update { $0 += 1 }
                if count.value == 2 { throw Errno.notFound }
            }
        } routes: { _ in
        } _: { server in
            await server.server.reload()
            await server.server.reload()
            #expect(count.value == 2)
            #expect(server.log.lines(.notice) == ["reloaded"])
            #expect(server.log.lines(.error).count == 1)
        }
    }

    @Test func `Bonjour's port is one that others can reach, on its interface`() {
        let everywhere = BonjourPlace(
            [.loopback(port: 1), .any(port: 2), .any6(port: 2)], machine: machine)
        #expect(everywhere?.port == 2 && everywhere?.interface == 0)
        let own = BonjourPlace([.loopback(port: 7)], machine: machine)
        #expect(own?.port == 7 && own?.interface == NetworkInterfaces.index(of: "lo") ?? 0)
        #expect(BonjourPlace([.unix(path: "/a")], machine: machine) == nil)
    }
}
