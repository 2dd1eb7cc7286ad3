extension SocketAddress {
    /// All IPv4 addresses of this machine, to listen on.
    public static func any(port: UInt16) -> SocketAddress { .ipv4(0, port: port) }

    /// All IPv6 addresses of this machine, to listen on.
    public static func any6(port: UInt16) -> SocketAddress {
        .ipv6(high: 0, low: 0, scope: 0, port: port)
    }
}
