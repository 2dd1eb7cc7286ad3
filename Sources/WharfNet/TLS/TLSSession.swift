/// What the two ends of a secured connection have agreed on.
public struct TLSSession: Sendable, Hashable {
    /// The version of TLS.
    public let version: TLSVersion
    /// The cipher's name, as OpenSSL has it: `TLS_AES_256_GCM_SHA384`.
    public let cipher: String
    /// The protocol that was picked (ALPN): `http/1.1`; `nil` if the client offered none.
    public let applicationProtocol: String?
    /// The host that the client asked for (SNI); `nil` if it named none.
    public let serverName: String?
    /// Whether the session of an earlier connection was taken up again.
    public let isResumed: Bool
    /// The other end's certificate, which has been checked; `nil` if it has shown none.
    public let peerCertificate: TLSCertificate?
}
