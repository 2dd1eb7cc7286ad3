public import WharfNet

extension HTTPServer {
    /// One way to reach a server.
    public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
        /// The URL of the root, such as `http://192.168.1.7:8080/`; `unix:PATH` for a Unix socket.
        ///
        /// The port is left out where it is the scheme's own.
        public let url: String
        /// The address, with the port.
        public let address: SocketAddress
        /// The interface that has the address; `nil` for Unix sockets, and for an address that the
        /// machine has lost.
        public let interface: NetworkInterface?

        init(_ address: SocketAddress, _ interface: NetworkInterface?, scheme: String) {
            self.address = address
            self.interface = interface
            if case .unix = address {
                url = "\(address)"
            } else {
                let isUsual = address.port == (scheme == "https" ? 443 : 80)
                let text = "\(address)"
                let authority = isUsual ? String(text.dropLast("\(address.port)".count + 1)) : text
                url = "\(scheme)://\(authority)/"
            }
        }

        /// The URL.
        public var description: String { url }
    }

    /// Every URL under which the server can be reached now, IPv4 and IPv6.
    ///
    /// Those that other devices can use come first, loopback last. Empty while it is suspended.
    public var endpoints: [Endpoint] { endpoints(on: NetworkInterfaces.addresses) }

    /// ``endpoints`` now, and again each time the machine's addresses have changed it.
    ///
    ///     for await endpoints in server.endpointChanges() { show(endpoints) }
    ///
    /// It goes on until its task is cancelled, also when the server has stopped.
    public func endpointChanges() -> EndpointChanges { EndpointChanges(server: self) }

    /// What ``HTTPServer/endpointChanges()`` returns: each list differs from the one before.
    public struct EndpointChanges: AsyncSequence, Sendable {
        let server: HTTPServer

        /// Starts to watch the machine's addresses.
        public func makeAsyncIterator() -> Iterator {
            Iterator(server: server, base: NetworkInterfaces.changes().makeAsyncIterator())
        }

        /// The lists, one after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let server: HTTPServer
            var base: AsyncStream<[InterfaceAddress]>.Iterator
            var last: [Endpoint]?

            /// The next list; `nil` when the task was cancelled.
            public mutating func next() async -> [Endpoint]? {
                while let addresses = await base.next(isolation: #isolation) {
                    let endpoints = server.endpoints(on: addresses)
                    if endpoints == last { continue }
                    last = endpoints
                    return endpoints
                }
                return nil
            }
        }
    }

    func endpoints(on machine: [InterfaceAddress]) -> [Endpoint] {
        guard isListening else { return [] }
        var found: [Endpoint] = []
        for own in machine {
            for address in addresses where address.serves(own.address) {
                let reached = own.address.with(port: address.port)
                found.append(Endpoint(reached, own.interface, scheme: scheme(of: address)))
            }
        }
        // A Unix socket, and an address that the machine has lost or doesn't tell of.
        for address in addresses where !found.contains(where: { address.serves($0.address) }) {
            found.append(Endpoint(address, nil, scheme: scheme(of: address)))
        }
        var seen: Set<SocketAddress> = []
        return found.filter { seen.insert($0.address).inserted }
    }

    /// What a URL of this server begins with at an address.
    private func scheme(of address: SocketAddress) -> String {
        secureAddresses.contains(address) ? "https" : "http"
    }
}

extension SocketAddress {
    /// Whether a listener here takes what is sent to an address of this machine, ports aside.
    fileprivate func serves(_ address: SocketAddress) -> Bool {
        switch (self, address) {
        case (.ipv4(0, _), .ipv4), (.ipv6(0, 0, _, _), .ipv6): true
        default: with(port: 0) == address.with(port: 0)
        }
    }
}
