/// One of the machine's ways into a network.
public struct NetworkInterface: Sendable, Hashable {
    /// What an interface leads to.
    public enum Kind: String, Sendable, CaseIterable {
        /// A cable, or what a virtual machine or container has in its place.
        case ethernet
        /// Wireless, as an access point's client or as one.
        case wifi
        /// A mobile network.
        case cellular
        /// A tunnel, such as a VPN: it may lead far away.
        case tunnel
        /// A bridge or its like, made for machines and containers inside of this one.
        case virtual
        /// This machine only.
        case loopback
        /// None of these, or the system doesn't tell.
        case other
    }

    /// The system's name for it, such as `eth0`.
    public let name: String
    /// What it leads to, as far as the system tells.
    public let kind: Kind

    /// Makes one out of what is known of it.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// An address of this machine, and the interface that has it.
public struct InterfaceAddress: Sendable, Hashable {
    /// The address; its port is 0.
    public let address: SocketAddress
    /// Who has it.
    public let interface: NetworkInterface

    /// Makes one out of both.
    public init(address: SocketAddress, interface: NetworkInterface) {
        self.address = address
        self.interface = interface
    }
}
