import WharfHTTP
public import WharfNet

/// Who asks, and for what, when a proxy may be in between: see ``TrustedProxies``.
extension Request {
    /// The client's address: that of ``peer``, or the one that a trusted proxy names.
    public var clientAddress: SocketAddress { forwarded?.address ?? peer.address }

    /// The scheme that the client used: `http` or `https`, or what a trusted proxy says.
    public var scheme: String { forwarded?.scheme ?? (exchange.security == nil ? "http" : "https") }

    /// Whether the client's connection is secured, be it here or at a trusted proxy: whether cookies
    /// may be for secured connections only (``SetCookie/isSecure``).
    public var isSecure: Bool { scheme == "https" }

    /// What was agreed on when this connection was secured; `nil` if it is not.
    public var tls: TLSSession? { exchange.session }

    /// The certificate that the client has shown, which one of the roots of
    /// ``TLSServerConfiguration/clientCertificates`` has signed; `nil` if it has shown none.
    public var clientCertificate: TLSCertificate? { exchange.session?.peerCertificate }

    /// The host, and the port unless it is the usual one, that the client asked for.
    ///
    /// It is what a trusted proxy says, or the target, or the Host field, in that order; `nil` if
    /// none does, as HTTP/1.0 allows.
    public var authority: String? { forwarded?.authority ?? received.request.authority }

    private var forwarded: ForwardedClient? {
        exchange.server.configuration.trustedProxies?.client(of: self)
    }
}
