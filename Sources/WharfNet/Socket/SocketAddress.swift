#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a socket listens or who is at its other end.
public enum SocketAddress: Sendable, Hashable {
    /// An IPv4 address, its four bytes as one number in reading order, and a port.
    case ipv4(UInt32, port: UInt16)
    /// An IPv6 address in two halves in reading order, its scope (0: none) and a port.
    case ipv6(high: UInt64, low: UInt64, scope: UInt32, port: UInt16)
    /// A Unix domain socket's path. It is empty for a client that has no name.
    case unix(path: String)

    /// The loopback address of IPv4.
    public static func loopback(port: UInt16) -> SocketAddress { .ipv4(0x7F00_0001, port: port) }

    /// The loopback address of IPv6.
    public static func loopback6(port: UInt16) -> SocketAddress {
        .ipv6(high: 0, low: 1, scope: 0, port: port)
    }

    /// Reads a numeric address, with or without brackets around IPv6.
    ///
    /// `nil` if it is none.
    ///
    /// A scope may follow IPv6 as `%eth0` or `%2`. Names are not looked up.
    public init?(numeric text: String, port: UInt16) {
        // C would read the part before a NUL.
        guard !text.utf8.contains(0) else { return nil }
        var host = text
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        var four = in_addr()
        if unsafe inet_pton(AF_INET, host, &four) == 1 {
            self = .ipv4(UInt32(bigEndian: four.s_addr), port: port)
            return
        }
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var six = in6_addr()
        guard let literal = parts.first, unsafe inet_pton(AF_INET6, String(literal), &six) == 1
        else { return nil }
        let scope = parts.count == 2 ? Self.scope(named: parts[1]) : 0
        guard parts.count == 1 || scope != 0 else { return nil }
        let (high, low) = Self.halves(of: six)
        self = .ipv6(high: high, low: low, scope: scope, port: port)
    }

    /// The port, or 0 for a Unix socket.
    public var port: UInt16 {
        switch self {
        case .ipv4(_, let port), .ipv6(_, _, _, let port): port
        case .unix: 0
        }
    }

    /// The host without the port: `127.0.0.1`, `::1`, or a Unix socket's path.
    public var host: String {
        switch self {
        case .ipv4(let bits, _):
            "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
        case .ipv6(let high, let low, let scope, _):
            Self.text(high: high, low: low) + (scope == 0 ? "" : "%\(Self.name(ofScope: scope))")
        case .unix(let path):
            path
        }
    }

    /// True for 127.0.0.0/8, ::1, their mapped forms and Unix sockets: peers on this machine.
    public var isLoopback: Bool {
        switch self {
        case .ipv4(let bits, _): bits >> 24 == 127
        case .ipv6(0, 1, _, _): true
        case .ipv6(0, let low, _, _): low >> 32 == 0xFFFF && low >> 24 & 0xFF == 127
        case .ipv6: false
        case .unix: true
        }
    }

    /// True for 0.0.0.0 and ::, which stand for every address of the machine.
    public var isWildcard: Bool {
        switch self {
        case .ipv4(0, _), .ipv6(0, 0, _, _): true
        default: false
        }
    }

    static func halves(of address: in6_addr) -> (UInt64, UInt64) {
        unsafe withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: unsafe bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    static func address(high: UInt64, low: UInt64) -> in6_addr {
        var address = in6_addr()
        unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }

    private static func text(high: UInt64, low: UInt64) -> String {
        var address = address(high: high, low: low)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else {
            return "::"
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func scope(named name: Substring) -> UInt32 {
        let index = unsafe if_nametoindex(String(name))
        return index == 0 ? UInt32(name) ?? 0 : index
    }

    private static func name(ofScope scope: UInt32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard unsafe if_indextoname(scope, &name) != nil else { return String(scope) }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The address as it stands in a URL: `127.0.0.1:80`, `[::1]:80`, `unix:/run/w.sock`.
    public var description: String {
        switch self {
        case .ipv4: "\(host):\(port)"
        case .ipv6: "[\(host)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
