import Testing
@testable import WharfNet

@Suite struct `A socket address` {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80"),
        ("0.0.0.0", "0.0.0.0:80"),
        ("255.254.253.252", "255.254.253.252:80"),
        ("::1", "[::1]:80"),
        ("[::1]", "[::1]:80"),
        ("::", "[::]:80"),
        ("2001:DB8:0:0:0:0:0:1", "[2001:db8::1]:80"),
        ("::ffff:192.0.2.1", "[::ffff:192.0.2.1]:80"),
        ("fe80::1%lo", "[fe80::1%lo]:80"),
        ("fe80::1%1", "[fe80::1%lo]:80"),
    ])
    func `is read from its numeric form`(_ text: String, _ expected: String) throws {
        let address = try #require(SocketAddress(numeric: text, port: 80))
        #expect(address.description == expected)
        #expect(SocketAddress(numeric: address.host, port: 80) == address)
    }

    @Test(arguments: [
        "", "localhost", "127.1", "127.0.0.01", "256.0.0.1", "1.2.3", "1.2.3.4.5", "127.0.0.1 ",
        "::1%", "::1%no-such-interface", "[::1", "::1]", "[]", ":::", "1:2:3:4:5:6:7",
        "12345::", "::g", "127.0.0.1\0", "::1\0x", "0x7f.0.0.1",
    ])
    func `is not read from anything else`(_ text: String) {
        #expect(SocketAddress(numeric: text, port: 80) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.255", true), ("126.255.255.255", false),
        ("128.0.0.0", false), ("0.0.0.0", false), ("::1", true), ("::2", false), ("::", false),
        ("::ffff:127.0.0.1", true), ("::ffff:126.0.0.1", false), ("::127.0.0.1", false),
        ("1::1", false), ("::1:ffff:7f00:1", false),
    ])
    func `knows the peers on this machine`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(SocketAddress(numeric: text, port: 1)).isLoopback == isLoopback)
    }

    @Test func `counts Unix sockets as loopback and gives them no port`() {
        let address = SocketAddress.unix(path: "/run/w.sock")
        #expect(address.isLoopback && !address.isWildcard)
        #expect(address.port == 0 && address.with(port: 80) == address)
        #expect(address.host == "/run/w.sock" && address.description == "unix:/run/w.sock")
    }

    @Test(arguments: [("0.0.0.0", true), ("0.0.0.1", false), ("::", true), ("::1", false)])
    func `knows the addresses that stand for all`(_ text: String, _ isWildcard: Bool) throws {
        #expect(try #require(SocketAddress(numeric: text, port: 1)).isWildcard == isWildcard)
    }

    @Test(arguments: [
        SocketAddress.loopback(port: 65535), .loopback6(port: 1), .ipv4(0x0102_0304, port: 0),
        .ipv6(high: 0xFE80_0000_0000_0000, low: 0x0102_0304_0506_0708, scope: 7, port: 443),
        .unix(path: "/tmp/ü"), .unix(path: String(repeating: "a", count: 107)),
        .unix(path: ""),
    ])
    func `survives the form that C has for it`(_ address: SocketAddress) throws {
        let copy = try unsafe address.withRaw { raw, count in
            unsafe SocketAddress { storage, storageCount in
                unsafe UnsafeMutableRawPointer(storage)
                    .copyMemory(from: raw, byteCount: Int(count))
                unsafe storageCount.pointee = count
                return true
            }
        }
        #expect(copy == address)
    }

    @Test(arguments: [String(repeating: "a", count: 108), "a\0b"])
    func `refuses a Unix path that does not fit`(_ path: String) {
        #expect(throws: Errno.nameTooLong) {
            try unsafe SocketAddress.unix(path: path).withRaw { _, _ in }
        }
    }

    @Test func `compares host and port`() {
        #expect(SocketAddress.loopback(port: 1) != .loopback(port: 2))
        #expect(SocketAddress.loopback(port: 1).with(port: 2) == .loopback(port: 2))
        #expect(SocketAddress.loopback6(port: 1).with(port: 2) == .loopback6(port: 2))
        #expect(SocketAddress.loopback(port: 1) != .loopback6(port: 1))
    }
}
