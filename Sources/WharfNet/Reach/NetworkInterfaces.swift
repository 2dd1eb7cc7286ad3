#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The addresses that this machine has on its networks.
public enum NetworkInterfaces {
    /// The addresses of the interfaces that are up; those that others can use best come first,
    /// loopback last.
    ///
    /// Link-local addresses of IPv6 are left out: browsers don't take them in a URL (RFC 6874 is
    /// not what they do). Empty if the system doesn't tell.
    public static var addresses: [InterfaceAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var found: [InterfaceAddress] = []
        var known: [String: NetworkInterface] = [:]
        var next = unsafe first
        while let entry = unsafe next?.pointee {
            unsafe next = unsafe entry.ifa_next
            let flags = unsafe entry.ifa_flags
            guard flags & UInt32(IFF_UP) != 0, let rawName = unsafe entry.ifa_name,
                let raw = unsafe entry.ifa_addr,
                let address = unsafe SocketAddress(raw)?.with(port: 0), !address.isLinkLocal6
            else { continue }
            let name = unsafe String(cString: rawName)
            let isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
            let interface =
                known[name]
                ?? NetworkInterface(name: name, kind: isLoopback ? .loopback : .ofInterface(name))
            known[name] = interface
            found.append(InterfaceAddress(address: address, interface: interface))
        }
        return inOrder(found)
    }

    /// The addresses of one interface, with a port; empty when it has none, or there is none.
    public static func addresses(of name: String, port: UInt16) -> [SocketAddress] {
        addresses.filter { $0.interface.name == name }.map { $0.address.with(port: port) }
    }

    /// Whether there is an interface of that name, with or without addresses.
    package static func exists(_ name: String) -> Bool {
        !name.utf8.contains(0) && index(of: name) != nil
    }

    /// The system's number of an interface; `nil` when there is none of that name.
    package static func index(of name: String) -> UInt32? {
        let index = unsafe if_nametoindex(name)
        return index == 0 ? nil : index
    }

    /// Puts those first that most clients can use; among equals the system's order stays.
    static func inOrder(_ found: [InterfaceAddress]) -> [InterfaceAddress] {
        found.enumerated().sorted { left, right in
            let ranks = (left.element.interface.kind.rank, right.element.interface.kind.rank)
            return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
        }.map(\.element)
    }
}

extension NetworkInterface.Kind {
    /// How likely it is that other people's devices are there.
    fileprivate var rank: Int {
        switch self {
        case .ethernet, .wifi: 0
        case .other: 1
        case .cellular: 2
        case .tunnel: 3
        case .virtual: 4
        case .loopback: 5
        }
    }
}

extension SocketAddress {
    fileprivate init?(_ raw: UnsafeMutablePointer<sockaddr>) {
        let count: Int
        switch unsafe Int32(raw.pointee.sa_family) {
        case AF_INET: count = MemoryLayout<sockaddr_in>.size
        case AF_INET6: count = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        unsafe self.init(filling: { address, length in
            unsafe UnsafeMutableRawPointer(address).copyMemory(from: raw, byteCount: count)
            unsafe length.pointee = socklen_t(count)
            return true
        })
    }

    /// True in fe80::/10.
    var isLinkLocal6: Bool {
        if case .ipv6(let high, _, _, _) = self { return high >> 54 == 0xFE80 >> 6 }
        return false
    }
}
