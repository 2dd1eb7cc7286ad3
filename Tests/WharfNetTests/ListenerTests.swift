import Glibc
import TestSupport
import Testing
@testable import WharfNet
import WharfTesting

@Suite struct `A listener` {
    let system: System
    let folder: TemporaryFolder

    init() throws {
        system = try System()
        folder = try TemporaryFolder()
    }

    private func open(_ addresses: SocketAddress...) throws(Errno) -> [Listener] {
        try Listener.open(addresses, backlog: 8, system: system)
    }

    private func canConnect(to address: SocketAddress) throws -> Bool {
        let probe = Int32(try system.socket(for: address).get())
        defer { system.close(probe) }
        switch system.connect(probe, to: address) {
        case .success: return true
        case .failure(.inProgress): return system.pendingError(of: probe) == nil
        case .failure: return false
        }
    }

    @Test func `is told the port that the system picked`() throws {
        let listeners = try open(.loopback(port: 0))
        defer { for listener in listeners { listener.close(system) } }
        #expect(listeners.count == 1)
        #expect(listeners[0].address.port > 0)
        #expect(try canConnect(to: listeners[0].address))
    }

    @Test func `has one port for both families`() throws {
        for _ in 0..<20 {
            let listeners = try open(.loopback(port: 0), .loopback6(port: 0))
            defer { for listener in listeners { listener.close(system) } }
            #expect(Set(listeners.map(\.address.port)).count == 1)
        }
    }

    @Test func `keeps IPv6 apart from IPv4`() throws {
        let six = try open(.ipv6(high: 0, low: 0, scope: 0, port: 0))
        defer { for listener in six { listener.close(system) } }
        let four = try open(.ipv4(0, port: six[0].address.port))
        for listener in four { listener.close(system) }
        #expect(four.count == 1)
    }

    @Test func `throws when the port is in use, and closes what it had opened`() throws {
        let taken = try open(.loopback(port: 0))
        defer { for listener in taken { listener.close(system) } }
        let port = taken[0].address.port
        let free = SocketAddress.unix(path: folder.path + "/s")
        #expect(throws: Errno.addressInUse) { try open(free, .loopback(port: port)) }
        #expect(unsafe access(folder.path + "/s", F_OK) != 0)
        #expect(try !canConnect(to: free))
    }

    @Test func `can have a port again at once`() throws {
        let first = try open(.loopback(port: 0))
        #expect(try canConnect(to: first[0].address))
        for listener in first { listener.close(system) }
        let again = try open(first[0].address)
        for listener in again { listener.close(system) }
    }

    @Test func `leaves out an address that the machine lacks, if another works`() throws {
        let absent = SocketAddress.ipv4(0xC000_0201, port: 0)
        let listeners = try open(absent, .loopback(port: 0))
        defer { for listener in listeners { listener.close(system) } }
        #expect(listeners.map(\.address.host) == ["127.0.0.1"])
        #expect(throws: Errno.addressNotAvailable) { try open(absent) }
        #expect(throws: Errno.invalidArgument) { try open() }
    }

    @Test func `listens at a Unix path and removes it at the end`() throws {
        let address = SocketAddress.unix(path: folder.path + "/s")
        let listeners = try open(address)
        #expect(listeners.map(\.address) == [address])
        #expect(try canConnect(to: address))
        listeners[0].close(system)
        #expect(unsafe access(folder.path + "/s", F_OK) != 0)
    }

    @Test func `takes over the path of a server that is gone`() throws {
        let address = SocketAddress.unix(path: folder.path + "/s")
        let dead = try open(address)
        system.close(dead[0].descriptor)
        #expect(try !canConnect(to: address))
        let listeners = try open(address)
        defer { listeners[0].close(system) }
        #expect(try canConnect(to: address))
    }

    @Test func `leaves the path of a server that lives`() throws {
        let address = SocketAddress.unix(path: folder.path + "/s")
        let live = try open(address)
        defer { live[0].close(system) }
        #expect(throws: Errno.addressInUse) { try open(address) }
        #expect(try canConnect(to: address))
    }

    @Test func `leaves a file that is no socket`() throws {
        try folder.write("precious", to: "file")
        try folder.makeFolder("folder")
        try folder.link("link", to: "file")
        for name in ["file", "folder", "link"] {
            let address = SocketAddress.unix(path: "\(folder.path)/\(name)")
            #expect(throws: Errno.addressInUse) { try open(address) }
            #expect(unsafe access("\(folder.path)/\(name)", F_OK) == 0, "\(name) is gone")
        }
    }

    @Test func `throws for a path that can't be`() {
        #expect(throws: Errno.notFound) { try open(.unix(path: folder.path + "/none/s")) }
        #expect(throws: Errno.nameTooLong) {
            try open(.unix(path: String(repeating: "a", count: 200)))
        }
    }
}
