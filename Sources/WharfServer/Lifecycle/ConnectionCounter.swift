import Synchronization
import WharfNet

/// How many connections there are, in all and from each address.
final class ConnectionCounter: Sendable {
    private struct State {
        var byAddress: [Key: Int] = [:]
    }

    /// An address without its port; of IPv6 the /64 that a host usually owns.
    private enum Key: Hashable {
        case ipv4(UInt32)
        case ipv6(UInt64)
    }

    private let crowd: Int
    private let perAddressMax: Int
    private let proxies: TrustedProxies?
    private let total = Atomic<Int>(0)
    private let lastID = Atomic<UInt64>(0)
    private let acceptedCount = Atomic<UInt64>(0)
    private let refusedCount = Atomic<UInt64>(0)
    private let state = Locked(State())

    /// Counts up to `max`, and `perAddressMax` of one address (0: no bound) that is no proxy's.
    init(max: Int, perAddressMax: Int, proxies: TrustedProxies? = nil) {
        self.proxies = proxies
        crowd = Int(Double(max) * 0.8)
        self.perAddressMax = perAddressMax
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// Whether more than four fifths of the places are taken.
    var isCrowded: Bool { count > crowd }

    /// A number for a new connection.
    func nextID() -> UInt64 { lastID.add(1, ordering: .relaxed).newValue }

    /// Counts a connection in, and says how many there are; `nil` when its address has too many.
    func add(_ address: SocketAddress) -> Int? {
        if let key = key(address) {
            let isTaken = state.withLock { state in
                let count = state.byAddress[key, default: 0]
                guard count < perAddressMax else { return false }
                state.byAddress[key] = count + 1
                return true
            }
            guard isTaken else { return nil }
        }
        acceptedCount.add(1, ordering: .relaxed)
        return total.add(1, ordering: .relaxed).newValue
    }

    /// Counts a connection that was closed at once.
    func noteRefused() { refusedCount.add(1, ordering: .relaxed) }

    /// Adds what was counted to a sum.
    func add(to sum: inout HTTPServer.Counters) {
        sum.connectionCount += count
        sum.acceptedConnectionCount += acceptedCount.load(ordering: .relaxed)
        sum.refusedConnectionCount += refusedCount.load(ordering: .relaxed)
    }

    /// Counts a connection out, and says how many are left.
    func remove(_ address: SocketAddress) -> Int {
        if let key = key(address) {
            state.withLock { state in
                let count = state.byAddress[key, default: 1] - 1
                state.byAddress[key] = count > 0 ? count : nil
            }
        }
        return total.subtract(1, ordering: .relaxed).newValue
    }

    private func key(_ address: SocketAddress) -> Key? {
        guard perAddressMax > 0, !address.isLoopback, proxies?.trusts(address) != true
        else { return nil }
        switch address {
        case .ipv4(let bits, _): return .ipv4(bits)
        case .ipv6(let high, _, _, _): return .ipv6(high)
        case .unix: return nil
        }
    }
}
