import Testing
import WharfNet
@testable import WharfServer

@Suite struct `Wrong answers` {
    private static let second: UInt64 = 1_000_000_000

    private static func address(_ text: String) throws -> SocketAddress {
        try #require(SocketAddress(numeric: text, port: 1))
    }

    @Test func `of an address are counted, and forgotten in time`() throws {
        var limiter = AttemptLimiter(addressMax: 3, userMax: 100, window: 60 * Self.second)
        let (here, there) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
        for _ in 0..<3 {
            #expect(limiter.delay(from: here, as: nil, at: 5) == nil)
            limiter.noteFailure(from: here, as: nil, at: 5)
        }
        #expect(limiter.delay(from: here, as: nil, at: 5) == 20)
        #expect(limiter.delay(from: there, as: nil, at: 5) == nil)
        #expect(limiter.delay(from: here, as: nil, at: 15 * Self.second) == 6)
        // One of three is allowed again after a third of the time.
        #expect(limiter.delay(from: here, as: nil, at: 21 * Self.second) == nil)
        limiter.noteFailure(from: here, as: nil, at: 21 * Self.second)
        #expect(limiter.delay(from: here, as: nil, at: 21 * Self.second) != nil)
        #expect(limiter.delay(from: here, as: nil, at: 1000 * Self.second) == nil)
        // A clock that stands still, or seems to go back, gives nothing.
        #expect(limiter.delay(from: here, as: nil, at: 0) == 20)
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8::1", "2001:db8::ffff:1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("127.0.0.1", "::1", false),
        ] as [(String, String, Bool)])
    func `count for a customer's network`(_ one: String, _ other: String, areSame: Bool) throws {
        var limiter = AttemptLimiter(addressMax: 1, userMax: 100, window: Self.second)
        limiter.noteFailure(from: try Self.address(one), as: nil, at: 0)
        #expect((limiter.delay(from: try Self.address(other), as: nil, at: 0) != nil) == areSame)
    }

    @Test func `in a user's name are counted from all addresses`() throws {
        var limiter = AttemptLimiter(addressMax: 100, userMax: 2, window: Self.second)
        for host in 1...2 {
            limiter.noteFailure(from: try Self.address("192.0.2.\(host)"), as: "a", at: 0)
        }
        let other = try Self.address("192.0.2.3")
        #expect(limiter.delay(from: other, as: "a", at: 0) == 1)
        #expect(limiter.delay(from: other, as: "b", at: 0) == nil)
        #expect(limiter.delay(from: .unix(path: ""), as: "a", at: 0) == 1)
    }

    @Test func `are kept of so many at most`() {
        var table = BoundedTable<Int, Int>(countMax: 3)
        let first = (1...3).map { table.set($0 * 10, for: $0) }
        #expect(first == [nil, nil, nil])
        let second = [1, 4, 5].map { table.set($0 * 11, for: $0) }
        #expect(second == [nil, 1, 2])
        #expect([1, 2, 3, 4, 5].map { table[$0] } == [nil, nil, 30, 44, 55])
        let evicted = (6...1000).map { table.set(0, for: $0) }
        #expect(evicted == (3...997).map { $0 })
        #expect(table.count == 3)
    }
}
