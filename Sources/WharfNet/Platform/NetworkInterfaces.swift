#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The addresses that this machine has on its networks.
package enum NetworkInterfaces {
    /// The addresses of the interfaces that are up, with a port; loopback comes last.
    ///
    /// Link-local addresses of IPv6 are left out: browsers don't take them. Empty if the system
    /// doesn't tell.
    package static func addresses(port: UInt16) -> [SocketAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let interface = unsafe next?.pointee {
            unsafe next = unsafe interface.ifa_next
            guard unsafe interface.ifa_flags & UInt32(IFF_UP) != 0,
                let raw = unsafe interface.ifa_addr,
                let address = unsafe SocketAddress(raw)?.with(port: port), !address.isLinkLocal
            else { continue }
            addresses.append(address)
        }
        return addresses.filter { !$0.isLoopback } + addresses.filter(\.isLoopback)
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

    fileprivate var isLinkLocal: Bool {
        if case .ipv6(let high, _, _, _) = self { return high >> 54 == 0xFE80 >> 6 }
        return false
    }
}
