import Testing
import WharfNet

@Suite struct `A range of addresses` {
    private func address(_ text: String) throws -> SocketAddress {
        try #require(SocketAddress(numeric: text, port: 1))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.1.2.3/8", "10.9.9.9", true), ("0.0.0.0/0", "255.1.2.3", true),
        ("0.0.0.0/0", "::1", false), ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.8", false), ("192.0.2.7/32", "192.0.2.7", true),
        ("192.0.2.6/31", "192.0.2.7", true), ("192.0.2.6/31", "192.0.2.8", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("::1", "::1", true), ("[::1]/128", "::1", true), ("::/0", "::2", true),
        ("::/0", "127.0.0.1", true), ("unix", "127.0.0.1", false),
    ])
    func `holds what begins like it`(_ range: String, _ member: String, _ isIn: Bool) throws {
        let range = try #require(AddressRange(range))
        let address = try address(member)
        #expect(range.contains(address) == isIn)
        #expect(!range.contains(.unix(path: "/run/w")) || range == .unix)
    }

    @Test func `may be that of Unix sockets`() throws {
        #expect(AddressRange("unix") == .unix)
        #expect(AddressRange.unix.contains(.unix(path: "")))
        #expect(AddressRange(.unix(path: "/a")) == .unix)
        #expect(AddressRange(.loopback(port: 5)).contains(.loopback(port: 6)))
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "::1/129", "10.0.0.0/-1", "10.0.0.0/+8",
        "10.0.0.0/8/8", "10.0.0.0/8 ", "10.0.0/8", "localhost", "fe80::1%1/64",
        "10.0.0.0/99999999999999999999",
    ])
    func `is nothing else`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
