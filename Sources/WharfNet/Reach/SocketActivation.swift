#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A listening socket that this program was started with.
public struct PassedSocket: Sendable, Hashable {
    /// What the service manager calls it (`FileDescriptorName=`); `unknown` if nothing.
    public let name: String
    /// Where it listens.
    public let address: SocketAddress
    /// The socket: whoever listens with it closes it.
    package let descriptor: Int32
}

/// Sockets from a service manager that listens before the program runs, as systemd does
/// (sd_listen_fds(3)).
///
/// Clients that connect while the program starts, or is replaced, wait and are not refused; and the
/// program needs no right to bind low ports.
public enum SocketActivation {
    /// The sockets that were passed to this process; empty when there are none.
    ///
    /// The environment that tells of them is taken away, so that a second call is empty, and child
    /// processes don't take them for theirs. Call it before other threads read the environment.
    /// Throws ``SocketActivationError`` when one of them is no listening stream socket.
    public static func takeSockets() throws(SocketActivationError) -> [PassedSocket] {
        let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
        let values = variables.map { name in
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        // Another process's sockets are none of ours.
        guard let process = values[0].flatMap({ Int32($0) }), process == getpid() else { return [] }
        for name in variables { unsafe unsetenv(name) }
        guard let count = values[1].flatMap({ Int($0) }), (0...countMax).contains(count) else {
            throw SocketActivationError("LISTEN_FDS is \(values[1] ?? "not set")")
        }
        let names = values[2].map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        var sockets: [PassedSocket] = []
        for index in 0..<count {
            let name = names.flatMap { $0.indices.contains(index) ? String($0[index]) : nil }
            sockets.append(try adopt(first + Int32(index), name: name ?? "unknown"))
        }
        return sockets
    }

    /// SD_LISTEN_FDS_START.
    private static let first: Int32 = 3
    private static let countMax = 1024

    private static func adopt(_ descriptor: Int32, name: String) throws(SocketActivationError)
        -> PassedSocket
    {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw SocketActivationError("descriptor \(descriptor) is not open")
        }
        let type = option(descriptor, SO_TYPE)
        guard type == LiveSockets.streamType else {
            throw SocketActivationError("descriptor \(descriptor) (\(name)) is no stream socket")
        }
        guard option(descriptor, SO_ACCEPTCONN) == 1,
            let address = System.withoutLoop.localAddress(of: descriptor)
        else {
            // Accept=yes passes connections.
            throw SocketActivationError(
                "descriptor \(descriptor) (\(name)) doesn't listen: set Accept=no")
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return PassedSocket(name: name, address: address, descriptor: descriptor)
    }

    private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var count = socklen_t(MemoryLayout<Int32>.size)
        let answer = unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &count)
        return answer == 0 ? value : nil
    }
}

/// What is wrong with the sockets that a program was started with.
public struct SocketActivationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
