/// How the client's end of a connection is secured.
///
/// By default the server's certificate has to be vouched for by one of the system's authorities and
/// be for the host that was asked for. To be used with ``TLSClient``:
///
///     let client = try TLSClient(TLSClientConfiguration(trust: .certificates(ownAuthority)))
///     let socket = try await connector.connect(host: host, port: port, deadline: deadline)
///     let session = try await socket.secure(with: client, host: host, until: deadline)
///     let stream = ByteStream(socket, patience: patience)
public struct TLSClientConfiguration: Sendable {
    /// Who has to vouch for the server's certificate.
    public struct Trust: Sendable {
        enum Way: Sendable {
            case system
            case certificates([TLSCertificate])
            case anything
            case decided(@Sendable (_ chain: [TLSCertificate], _ host: String) -> Bool)
        }

        let way: Way

        /// The certificate authorities that this machine trusts.
        public static let system = Trust(way: .system)

        /// These certificates and nobody else: authorities, or the server's own, self-signed one.
        public static func certificates(_ certificates: [TLSCertificate]) -> Trust {
            Trust(way: .certificates(certificates))
        }

        /// Nobody: any certificate will do, whatever host it is for.
        ///
        /// It is no protection from who is in between, unless ``TLSClientConfiguration/pins`` are
        /// set: they are looked at all the same.
        public static let anything = Trust(way: .anything)

        /// A closure decides, in the place of all checks but ``TLSClientConfiguration/pins``.
        ///
        /// It is given what the server sent, its own certificate first, at most 10. It must not
        /// block: it is called on a loop, in the middle of the handshake.
        public static func decided(
            by decide: @escaping @Sendable (_ chain: [TLSCertificate], _ host: String) -> Bool
        ) -> Trust {
            Trust(way: .decided(decide))
        }
    }

    /// Who has to vouch for the server.
    public var trust: Trust
    /// If there are some, the key of one of the certificates that the server is trusted for has to
    /// be one of these: its own, or that of an authority above it.
    ///
    /// With ``Trust/anything`` or a closure only the server's own counts.
    public var pins: Set<TLSFingerprint> = []
    /// Whether the certificate has to be for the host that was asked for.
    public var checksHost = true
    /// Who the client is, for servers that ask.
    public var identity: TLSIdentity?
    /// The oldest version that is spoken.
    public var versionMin = TLSVersion.tls12
    /// The protocols that the client speaks, the best first (ALPN); none are offered if it is empty.
    public var applicationProtocols = ["http/1.1"]
    /// Whether a connection to a host that was talked to before may leave out most of the handshake.
    ///
    /// What was trusted then is not checked again.
    public var resumesSessions = true

    /// Trusts the system's authorities, or whom it is told.
    public init(trust: Trust = .system) {
        self.trust = trust
    }
}
