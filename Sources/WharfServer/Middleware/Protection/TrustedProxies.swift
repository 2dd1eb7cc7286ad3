import WharfHTTP
public import WharfNet

/// Proxies that are believed when they say for whom they ask.
///
/// What a request from one of them says in Forwarded (RFC 7239), or in X-Forwarded-For, -Proto and
/// -Host, becomes ``Request/clientAddress``, ``Request/scheme`` and ``Request/authority``. The
/// addresses are followed from the last to the first as long as they are those of trusted proxies
/// themselves. From everybody else the fields mean nothing.
public struct TrustedProxies: Sendable {
    /// Which fields are read.
    public enum Source: Sendable, Hashable {
        /// Those that are there, and none if there are both kinds.
        ///
        /// A proxy that sets one kind may pass the other on as the client sent it.
        case either
        /// Forwarded alone.
        case forwarded
        /// X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host alone.
        case xForwarded
    }

    private let ranges: [AddressRange]
    private let source: Source

    /// Trusts whoever connects from these addresses.
    public init(_ ranges: [AddressRange], source: Source = .either) {
        self.ranges = ranges
        self.source = source
    }

    /// Whether an address is one of a trusted proxy.
    func trusts(_ address: SocketAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// Who is behind a request; `nil` when no trusted proxy tells.
    func client(of request: Request) -> ForwardedClient? {
        guard trusts(request.peer.address), let hops = hops(request.fields) else { return nil }
        var client = ForwardedClient(address: request.peer.address)
        for hop in hops.reversed() {
            client.scheme = hop.scheme.flatMap { ["http", "https"].contains($0) ? $0 : nil }
            client.authority = hop.host.flatMap { HostAndPort($0) == nil ? nil : $0 }
            guard let address = hop.client.flatMap(SocketAddress.init(node:)) else { break }
            client.address = address
            guard trusts(address) else { break }
        }
        return client
    }

    private func hops(_ fields: HTTPFields) -> [ForwardedHop]? {
        let forwarded = source == .xForwarded ? nil : fields[.forwarded]
        let names: [HTTPField.Name] = [.xForwardedFor, .xForwardedProto, .xForwardedHost]
        let hasOthers = source != .forwarded && names.contains { fields.contains($0) }
        switch (forwarded, hasOthers) {
        case (nil, false), (_?, true): return nil
        case (let value?, false): return ForwardedHop.hops(parsing: value)
        case (nil, true):
            return ForwardedHop.hops(
                clients: fields[.xForwardedFor], schemes: fields[.xForwardedProto],
                hosts: fields[.xForwardedHost])
        }
    }
}

/// Who is behind a request, as a proxy tells it.
struct ForwardedClient {
    var address: SocketAddress
    /// `http` or `https`.
    var scheme: String?
    /// A host, and maybe a port.
    var authority: String?
}

extension SocketAddress {
    /// Reads the address of a node (RFC 7239 §6), which may have a port.
    ///
    /// `nil` for a node that is not told, or only by a word.
    fileprivate init?(node: String) {
        if let address = SocketAddress(numeric: node, port: 0) {
            self = address
            return
        }
        guard let colon = node.utf8.lastIndex(of: UInt8(ascii: ":")),
            let address = SocketAddress(
                numeric: String(node[..<colon]),
                port: UInt16(node[node.utf8.index(after: colon)...]) ?? 0)
        else { return nil }
        self = address
    }
}
