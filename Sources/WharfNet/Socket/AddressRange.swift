/// A range of addresses: a network such as `10.0.0.0/8`, one address, or all Unix sockets.
public struct AddressRange: Sendable, Hashable {
    private enum Kind: Hashable {
        /// What the first bits of an address have to be, IPv4 as its form in IPv6.
        case network(UInt128, bitCount: Int)
        case unix
    }

    private let kind: Kind

    /// All peers of Unix sockets.
    public static let unix = AddressRange(kind: .unix)

    /// The range of one address; its port and scope don't matter.
    public init(_ address: SocketAddress) {
        kind = address.bits.map { .network($0, bitCount: 128) } ?? .unix
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    /// Reads a numeric address, an address and the length of its prefix (RFC 4632 §3.1,
    /// RFC 4291 §2.3), or `unix`.
    ///
    /// `nil` for anything else. Bits behind the prefix don't matter.
    public init?(_ text: String) {
        guard text != "unix" else {
            self = .unix
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, !text.contains("%"),
            let address = SocketAddress(numeric: String(parts[0]), port: 0),
            let bits = address.bits
        else { return nil }
        guard parts.count == 2 else {
            self.init(address)
            return
        }
        // IPv4 is the last 32 of the 128 bits.
        let skippedCount = if case .ipv4 = address { 96 } else { 0 }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1]), length <= 128 - skippedCount
        else { return nil }
        let bitCount = length + skippedCount
        self.init(kind: .network(bits & Self.mask(bitCount), bitCount: bitCount))
    }

    /// Whether an address lies in it; the IPv4-mapped form of IPv6 counts as IPv4.
    public func contains(_ address: SocketAddress) -> Bool {
        switch kind {
        case .network(let prefix, let bitCount):
            address.bits.map { $0 & Self.mask(bitCount) == prefix } ?? false
        case .unix:
            address.bits == nil
        }
    }

    private static func mask(_ bitCount: Int) -> UInt128 {
        bitCount == 0 ? 0 : ~0 << (128 - bitCount)
    }
}

extension SocketAddress {
    /// The address as one number, IPv4 in its mapped form (RFC 4291 §2.5.5.2).
    ///
    /// `nil` for a Unix socket.
    fileprivate var bits: UInt128? {
        switch self {
        case .ipv4(let bits, _): 0xFFFF << 32 | UInt128(bits)
        case .ipv6(let high, let low, _, _): UInt128(high) << 64 | UInt128(low)
        case .unix: nil
        }
    }
}
