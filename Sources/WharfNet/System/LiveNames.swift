#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The look-up of names behind ``System/lookUp(_:port:)``.
enum LiveNames {
    /// A host with more addresses is not worth trying them all.
    private static let addressCountMax = 16

    static func lookUp(_ host: String, port: UInt16) -> Result<[SocketAddress], NameLookupError> {
        // C would see the part before a NUL: another host.
        guard !host.isEmpty, !host.utf8.contains(0) else {
            return .failure(NameLookupError(host: host, code: EAI_NONAME))
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = LiveSockets.streamType
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        guard code == 0 else { return .failure(NameLookupError(host: host, code: code)) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while addresses.count < addressCountMax, let entry = unsafe next {
            let address = unsafe SocketAddress { storage, count in
                let found = unsafe entry.pointee.ai_addrlen
                guard unsafe found <= count.pointee, let raw = unsafe entry.pointee.ai_addr else {
                    return false
                }
                unsafe memcpy(storage, raw, Int(found))
                unsafe count.pointee = found
                return true
            }
            if let address, !addresses.contains(address.with(port: port)) {
                addresses.append(address.with(port: port))
            }
            unsafe next = entry.pointee.ai_next
        }
        guard !addresses.isEmpty else {
            return .failure(NameLookupError(host: host, code: EAI_NONAME))
        }
        return .success(addresses)
    }

    static func text(of code: Int32) -> String {
        guard let text = unsafe gai_strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
