/// Why a connection could not be secured, or an identity not be used.
public struct TLSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public struct Kind: Sendable, Hashable {
        private let name: String

        /// This build of Wharf has no TLS: see the article on TLS.
        public static let unavailable = Kind(name: "TLS is not built in")
        /// Certificates or a key can't be read, or do not belong together.
        public static let badIdentity = Kind(name: "the identity can't be used")
        /// The password of a key or a PKCS#12 file is missing or wrong.
        public static let badPassword = Kind(name: "the password is wrong")
        /// A setting is none that TLS has.
        public static let badSetting = Kind(name: "the settings can't be used")
        /// Nobody who is trusted vouches for the other side's certificate.
        public static let notTrusted = Kind(name: "the certificate is not trusted")
        /// The certificate is for other names.
        public static let wrongHost = Kind(name: "the certificate is for another host")
        /// The certificate's key is none of those that were expected.
        public static let notPinned = Kind(name: "the certificate's key is not the expected one")
        /// The two sides could not agree, or one of them does not speak TLS.
        public static let handshakeFailed = Kind(name: "the handshake failed")
        /// The client speaks HTTP without TLS.
        public static let plainHTTP = Kind(name: "plain HTTP on a port for TLS")
        /// The handshake took too long.
        public static let timedOut = Kind(name: "the handshake took too long")
        /// The connection was lost, or its task cancelled.
        public static let disconnected = Kind(name: "the connection was lost")
        /// The connection ended without the farewell that shows that nothing is missing.
        public static let truncated = Kind(name: "the connection was cut")
        /// What came was changed on its way, or breaks the protocol.
        public static let brokenRecord = Kind(name: "what was received is no valid TLS")

        /// What the kind means, in a few words.
        public var description: String { name }
    }

    /// What went wrong.
    public let kind: Kind
    /// What OpenSSL or the system says of it; may be empty.
    public let reason: String

    /// An error of a kind.
    package init(_ kind: Kind, _ reason: String = "") {
        self.kind = kind
        self.reason = reason
    }

    /// The kind and the reason: `the certificate is not trusted: self-signed certificate`.
    public var description: String {
        reason.isEmpty ? kind.description : "\(kind.description): \(reason)"
    }
}

extension TLSError.Kind: CustomStringConvertible {}
