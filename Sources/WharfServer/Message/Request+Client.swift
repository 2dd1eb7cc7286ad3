import WharfHTTP
public import WharfNet

/// Who asks, and for what, when a proxy may be in between: see ``TrustedProxies``.
extension Request {
    /// The client's address: that of ``peer``, or the one that a trusted proxy names.
    public var clientAddress: SocketAddress { forwarded?.address ?? peer.address }

    /// The scheme that the client used: `http`, or what a trusted proxy says.
    public var scheme: String { forwarded?.scheme ?? "http" }

    /// The host, and the port unless it is the usual one, that the client asked for.
    ///
    /// It is what a trusted proxy says, or the target, or the Host field, in that order; `nil` if
    /// none does, as HTTP/1.0 allows.
    public var authority: String? { forwarded?.authority ?? received.request.authority }

    private var forwarded: ForwardedClient? {
        exchange.server.configuration.trustedProxies?.client(of: self)
    }
}
