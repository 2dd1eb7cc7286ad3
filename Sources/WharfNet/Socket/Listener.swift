#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A bound and listening socket that no loop has yet.
package struct Listener: Sendable {
    package let descriptor: Int32
    /// Where it listens, with the port that the system picked for port 0.
    package let address: SocketAddress
    /// Whether it was bound by somebody else, who keeps it: see ``PassedSocket``.
    package let isPassed: Bool

    /// Takes over a socket that listens already.
    package init(_ socket: PassedSocket) {
        descriptor = socket.descriptor
        address = socket.address
        isPassed = true
    }

    /// Binds and listens.
    ///
    /// Throws what `bind` says, such as `EADDRINUSE`. A Unix socket's path whose server is gone is
    /// taken over; one that somebody serves is in use.
    package init(_ address: SocketAddress, backlog: Int32, system: System) throws(Errno) {
        descriptor = Int32(try system.socket(for: address).get())
        do throws(Errno) {
            do throws(Errno) {
                _ = try system.listen(descriptor, at: address, backlog: backlog).get()
            } catch .addressInUse where Self.isLeftOver(address, system) {
                _ = try system.listen(descriptor, at: address, backlog: backlog).get()
            }
        } catch {
            system.close(descriptor)
            throw error
        }
        self.address = system.localAddress(of: descriptor) ?? address
        isPassed = false
    }

    /// Binds all addresses as ``open(_:backlog:system:)`` does, with the first of several ports
    /// that can be had by all.
    ///
    /// `otherPorts` come after those of the addresses, and take the place of all of them. Ports that
    /// are taken, or that the process may not have, are passed over; the error of the last is thrown.
    package static func open(
        _ addresses: [SocketAddress], otherPorts: [UInt16], backlog: Int32, system: System
    ) throws(Errno) -> [Listener] {
        var rest = otherPorts[...]
        var tried = addresses
        while true {
            do throws(Errno) {
                return try open(tried, backlog: backlog, system: system)
            } catch {
                guard error == .addressInUse || error == .accessDenied,
                    let port = rest.popFirst()
                else { throw error }
                tried = addresses.map { $0.with(port: port) }
            }
        }
    }

    /// Binds all addresses that can be, with one port for those that ask for any.
    ///
    /// An address of a family that the machine lacks is left out, unless nothing remains. Any other
    /// failure closes all and is thrown.
    package static func open(
        _ addresses: [SocketAddress], backlog: Int32, system: System
    ) throws(Errno) -> [Listener] {
        var attempts = 8
        while true {
            attempts -= 1
            do throws(Errno) {
                return try openOnce(addresses, backlog: backlog, system: system)
            } catch .addressInUse where attempts > 0 && addresses.contains(where: { $0.port == 0 })
            {
                // The port that one family picked is taken in the other: pick again.
                continue
            }
        }
    }

    private static func openOnce(
        _ addresses: [SocketAddress], backlog: Int32, system: System
    ) throws(Errno) -> [Listener] {
        var listeners: [Listener] = []
        var missing: Errno?
        var pickedPort: UInt16 = 0
        for address in addresses {
            let wanted = address.port == 0 ? address.with(port: pickedPort) : address
            do throws(Errno) {
                let listener = try Listener(wanted, backlog: backlog, system: system)
                if address.port == 0 { pickedPort = listener.address.port }
                listeners.append(listener)
            } catch {
                if error == .addressFamilyMissing || error == .addressNotAvailable {
                    missing = error
                    continue
                }
                for listener in listeners { listener.close(system) }
                throw error
            }
        }
        guard !listeners.isEmpty else { throw missing ?? .invalidArgument }
        return listeners
    }

    /// Closes it, and removes a Unix socket's path.
    package func close(_ system: System) {
        system.close(descriptor)
        removePath(system)
    }

    /// The same socket by another descriptor, which stays when this one is closed.
    ///
    /// `nil` when no descriptor is left.
    package func duplicated() -> Listener? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { return nil }
        return Listener(descriptor: copy, address: address, isPassed: isPassed)
    }

    private init(descriptor: Int32, address: SocketAddress, isPassed: Bool) {
        self.descriptor = descriptor
        self.address = address
        self.isPassed = isPassed
    }

    /// Removes a Unix socket's path, when somebody else closes the descriptor.
    package func removePath(_ system: System) {
        if case .unix(let path) = address, !isPassed { system.removeName(path) }
    }

    /// True when it was a Unix socket's path that nobody serves any more; it is removed.
    private static func isLeftOver(_ address: SocketAddress, _ system: System) -> Bool {
        // Connecting to a file that is no socket is refused too, and that one is somebody's.
        guard case .unix(let path) = address, system.isSocket(path),
            case .success(let probe) = system.socket(for: address)
        else { return false }
        defer { system.close(Int32(probe)) }
        guard case .failure(let error) = system.connect(Int32(probe), to: address),
            error.rawValue == ECONNREFUSED
        else { return false }
        system.removeName(path)
        return true
    }
}

extension SocketAddress {
    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        switch self {
        case .ipv4(let bits, _): .ipv4(bits, port: port)
        case .ipv6(let high, let low, let scope, _):
            .ipv6(high: high, low: low, scope: scope, port: port)
        case .unix: self
        }
    }
}
