import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The socket calls of ``System`` that need more than one line.
enum LiveSockets {
    #if os(Linux)
        static let sendFlags = Int32(MSG_NOSIGNAL)
        static let moreFlag = Int32(MSG_MORE)
        static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let tcp = Int32(IPPROTO_TCP)
        private static let ipv6 = Int32(IPPROTO_IPV6)
    #else
        // SO_NOSIGPIPE, set on each socket, stands for MSG_NOSIGNAL.
        static let sendFlags: Int32 = 0
        static let moreFlag: Int32 = 0
        static let streamType = SOCK_STREAM
        private static let tcp = IPPROTO_TCP
        private static let ipv6 = IPPROTO_IPV6
    #endif

    static func make(for address: SocketAddress) -> SystemResult {
        let descriptor = socket(address.family, streamType, 0)
        guard descriptor >= 0 else { return .failure(.current) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if !os(Linux)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return .success(Int(descriptor))
    }

    static func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32)
        -> SystemResult
    {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if case .ipv6 = address { set(descriptor, ipv6, IPV6_V6ONLY, 1) }
        do throws(Errno) {
            let answer = try unsafe address.withRaw { unsafe bind(descriptor, $0, $1) }
            guard answer == 0 else { return .failure(.current) }
        } catch {
            return .failure(error)
        }
        return retrying { Int(libcListen(descriptor, backlog)) }
    }

    static func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult {
        disableDelay(descriptor, address)
        do throws(Errno) {
            let answer = try unsafe address.withRaw { unsafe libcConnect(descriptor, $0, $1) }
            // EINTR too means that the connection goes on being made.
            if answer == 0 { return .success(0) }
            let error = Errno.current
            return .failure(error.rawValue == EINTR ? .inProgress : error)
        } catch {
            return .failure(error)
        }
    }

    static func accept(_ descriptor: Int32, peer: inout SocketAddress?) -> SystemResult {
        var result = SystemResult.failure(.wouldBlock)
        peer = unsafe SocketAddress { address, count in
            result = retrying { unsafe Int(cwharf_accept(descriptor, address, count)) }
            if case .success = result { return true }
            return false
        }
        if case .success(let accepted) = result, let peer {
            disableDelay(Int32(accepted), peer)
        }
        return result
    }

    static func pendingError(of descriptor: Int32) -> Errno? {
        var error: Int32 = 0
        var count = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &count) == 0 else {
            return .current
        }
        return error == 0 ? nil : Errno(error)
    }

    static func resetOnClose(_ descriptor: Int32) {
        var value = linger(l_onoff: 1, l_linger: 0)
        let count = socklen_t(MemoryLayout<linger>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, count)
    }

    /// Without this, Nagle's algorithm and delayed ACKs cost 40 ms a response.
    private static func disableDelay(_ descriptor: Int32, _ address: SocketAddress) {
        if case .unix = address { return }
        set(descriptor, tcp, TCP_NODELAY, 1)
    }

    /// Options are wishes: one that fails changes no behaviour that anything relies on.
    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        let count = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, level, option, &value, count)
    }
}
