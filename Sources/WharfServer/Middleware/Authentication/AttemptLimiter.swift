import WharfNet

/// Counts wrong answers by address and by user, so that passwords can't be tried out.
///
/// Each has a bucket of attempts that refills over a time. The users' is larger: whoever fails in
/// another's name, from many addresses, keeps them out until it has refilled.
struct AttemptLimiter: Sendable {
    private enum Key: Hashable, Sendable {
        case ipv4(UInt32)
        /// RFC 6177 §2: one customer has at least a /64.
        case ipv6(UInt64)
        case local
        /// A hash of the name: what clients send as names may be long.
        case user(Int)
    }

    private struct Bucket: Sendable {
        var attemptsLeft: Double
        var time: UInt64
    }

    /// Addresses and users that are known at a time.
    static let entryCountMax = 10_000

    private let addressMax: Double
    private let userMax: Double
    private let window: Double
    private var buckets = BoundedTable<Key, Bucket>(countMax: entryCountMax)

    /// So many attempts at once, and then as many in each `window` (nanoseconds).
    init(addressMax: Int, userMax: Int, window: UInt64) {
        self.addressMax = Double(max(1, addressMax))
        self.userMax = Double(max(1, userMax))
        self.window = Double(max(1, window))
    }

    /// Seconds until another attempt is allowed; `nil`: it is now.
    func delay(from address: SocketAddress, as name: String?, at now: UInt64) -> Int? {
        guard buckets.count > 0 else { return nil }
        let missing = keys(address, name).map { key, most in
            (1 - left(key, most, now)) / most
        }
        guard let worst = missing.max(), worst > 0 else { return nil }
        return Int((worst * window / 1_000_000_000).rounded(.up))
    }

    /// An attempt has failed.
    mutating func noteFailure(from address: SocketAddress, as name: String?, at now: UInt64) {
        for (key, most) in keys(address, name) {
            let left = max(0, left(key, most, now) - 1)
            _ = buckets.set(Bucket(attemptsLeft: left, time: now), for: key)
        }
    }

    private func left(_ key: Key, _ most: Double, _ now: UInt64) -> Double {
        guard let bucket = buckets[key] else { return most }
        let passed = Double(now > bucket.time ? now - bucket.time : 0)
        return min(most, bucket.attemptsLeft + passed / window * most)
    }

    private func keys(_ address: SocketAddress, _ name: String?) -> [(Key, Double)] {
        var keys: [(Key, Double)] = []
        switch address {
        case .ipv4(let bits, _): keys.append((.ipv4(bits), addressMax))
        // RFC 4291 §2.5.5.2: an IPv4 address in IPv6's clothes.
        case .ipv6(0, let low, _, _) where low >> 32 == 0xFFFF:
            keys.append((.ipv4(UInt32(truncatingIfNeeded: low)), addressMax))
        case .ipv6(let high, _, _, _): keys.append((.ipv6(high), addressMax))
        case .unix: keys.append((.local, addressMax))
        }
        if let name { keys.append((.user(name.hashValue), userMax)) }
        return keys
    }
}
