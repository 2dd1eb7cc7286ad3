/// How the server's end of connections is secured.
///
/// TLS 1.2 and 1.3 with AEAD ciphers; neither compression nor renegotiation.
public struct TLSServerConfiguration: Sendable {
    /// What is wanted of clients.
    public struct ClientCertificates: Sendable {
        enum Demand { case none, asked, required }

        let demand: Demand
        let roots: [TLSCertificate]

        /// Clients are not asked for certificates.
        public static let off = ClientCertificates(demand: .none, roots: [])

        /// Clients are asked; one without is served too, one whose certificate none of these has
        /// signed is not.
        public static func asked(_ roots: [TLSCertificate]) -> ClientCertificates {
            ClientCertificates(demand: .asked, roots: roots)
        }

        /// Only clients are served whose certificate one of these has signed.
        public static func required(_ roots: [TLSCertificate]) -> ClientCertificates {
            ClientCertificates(demand: .required, roots: roots)
        }
    }

    /// Who the server is; there must be one.
    ///
    /// A client that names a host (SNI) gets the first identity whose certificate is for it, and
    /// else the first of all. Identities for the same hosts with keys of different kinds stand for
    /// each other: the client's ciphers choose.
    public var identities: [TLSIdentity]
    /// What is wanted of clients.
    public var clientCertificates = ClientCertificates.off
    /// The oldest version that is spoken.
    public var versionMin = TLSVersion.tls12
    /// The protocols that are spoken inside, the best first (ALPN, RFC 7301).
    ///
    /// A client that offers others only is refused; one that offers none is not.
    public var applicationProtocols = ["http/1.1"]
    /// Whether clients that come again may leave out most of the handshake.
    public var resumesSessions = true
    /// How long a handshake may take; a connection that is slower is closed.
    public var handshakeTimeout = Duration.seconds(10)

    /// Secures connections as one or several identities.
    public init(identities: [TLSIdentity]) {
        self.identities = identities
    }

    /// Secures connections as an identity.
    public init(identity: TLSIdentity) {
        identities = [identity]
    }
}

/// The versions of TLS that are spoken.
public struct TLSVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// TLS 1.2 (RFC 5246).
    public static let tls12 = TLSVersion(number: 0x0303)
    /// TLS 1.3 (RFC 8446).
    public static let tls13 = TLSVersion(number: 0x0304)

    /// As it is on the wire.
    let number: Int32

    /// The older one is less.
    public static func < (first: TLSVersion, second: TLSVersion) -> Bool {
        first.number < second.number
    }

    /// `TLS 1.2` or `TLS 1.3`.
    public var description: String { "TLS 1.\(number - 0x0301)" }
}
