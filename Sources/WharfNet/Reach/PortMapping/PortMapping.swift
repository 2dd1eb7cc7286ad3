/// A port of the router's that leads to a server behind it.
public struct PortMapping: Sendable, Hashable {
    /// How the router was asked.
    public enum Method: String, Sendable {
        /// NAT Port Mapping Protocol (RFC 6886).
        case natPMP = "NAT-PMP"
        /// Universal Plug and Play, Internet Gateway Device.
        case upnp = "UPnP"
    }

    /// The router's address as the internet sees it, and the port that was got.
    ///
    /// The port may be another one than was asked for.
    public let externalAddress: SocketAddress
    /// The server's own port.
    public let internalPort: UInt16
    /// For how long the router has promised it; it is asked again at half that time.
    public let lifetime: Duration
    /// How it was asked.
    public let method: Method

    /// Puts together what a router has answered.
    public init(
        externalAddress: SocketAddress, internalPort: UInt16, lifetime: Duration, method: Method
    ) {
        self.externalAddress = externalAddress
        self.internalPort = internalPort
        self.lifetime = lifetime
        self.method = method
    }

    /// False when the router's address is itself private or shared by a provider (RFC 1918,
    /// RFC 6598): then the internet can't get in all the same.
    public var isPublic: Bool {
        guard case .ipv4(let bits, _) = externalAddress else { return true }
        let ranges: [(UInt32, UInt32)] = [
            (0x0A00_0000, 8), (0xAC10_0000, 12), (0xC0A8_0000, 16), (0x6440_0000, 10),
            (0xA9FE_0000, 16), (0x7F00_0000, 8), (0, 8),
        ]
        return !ranges.contains { bits >> (32 - $0.1) == $0.0 >> (32 - $0.1) }
    }
}

/// Why a router has not mapped a port.
public struct PortMappingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
