#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Between ``SocketAddress`` and the `sockaddr` family of C.
extension SocketAddress {
    /// AF_INET, AF_INET6 or AF_UNIX.
    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Lends the address as C wants it.
    ///
    /// Throws `ENAMETOOLONG` for a Unix path that does not fit.
    func withRaw<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) throws(Errno) -> R {
        var storage = sockaddr_storage()
        let count: Int
        switch self {
        case .ipv4(let bits, let port):
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            raw.sin_addr.s_addr = bits.bigEndian
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe $0.storeBytes(of: raw, as: sockaddr_in.self)
            }
            count = MemoryLayout<sockaddr_in>.size
        case .ipv6(let high, let low, let scope, let port):
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            raw.sin6_scope_id = scope
            raw.sin6_addr = Self.address(high: high, low: low)
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe $0.storeBytes(of: raw, as: sockaddr_in6.self)
            }
            count = MemoryLayout<sockaddr_in6>.size
        case .unix(let path):
            let bytes = Array(path.utf8)
            let offset = Self.unixPathOffset
            guard !bytes.contains(0), bytes.count < Self.unixPathCount else { throw .nameTooLong }
            unsafe withUnsafeMutableBytes(of: &storage) { raw in
                unsafe raw.storeBytes(of: sockaddr_un.emptyWithFamily, as: sockaddr_un.self)
                unsafe raw[offset..<(offset + bytes.count)].copyBytes(from: bytes)
            }
            count = offset + bytes.count + 1
        }
        return unsafe withUnsafePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(count))
            }
        }
    }

    /// Reads what a call like `accept` or `getsockname` filled in.
    init?(filling body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool) {
        var storage = sockaddr_storage()
        var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isFilled = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, &count)
            }
        }
        guard isFilled else { return nil }
        self.init(storage, count: Int(count))
    }

    init?(_ storage: sockaddr_storage, count: Int) {
        let address: SocketAddress? = unsafe withUnsafeBytes(of: storage) { raw in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let four = unsafe raw.load(as: sockaddr_in.self)
                return .ipv4(
                    UInt32(bigEndian: four.sin_addr.s_addr), port: UInt16(bigEndian: four.sin_port))
            case AF_INET6:
                let six = unsafe raw.load(as: sockaddr_in6.self)
                let (high, low) = Self.halves(of: six.sin6_addr)
                let port = UInt16(bigEndian: six.sin6_port)
                return unsafe .ipv6(high: high, low: low, scope: six.sin6_scope_id, port: port)
            case AF_UNIX:
                let end = max(Self.unixPathOffset, min(count, raw.count))
                let path = unsafe raw[Self.unixPathOffset..<end].prefix { $0 != 0 }
                return .unix(path: unsafe String(decoding: path, as: UTF8.self))
            default:
                return nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    private static let unixPathOffset = MemoryLayout<sockaddr_un>.size - unixPathCount
    private static let unixPathCount = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
}

extension sockaddr_un {
    fileprivate static var emptyWithFamily: sockaddr_un {
        var raw = sockaddr_un()
        raw.sun_family = sa_family_t(AF_UNIX)
        return raw
    }
}
