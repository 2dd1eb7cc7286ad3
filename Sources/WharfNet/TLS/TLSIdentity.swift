/// Who one end of a connection is: a certificate, those that vouch for it, and the private key.
///
/// The key stays inside: it is never shown, logged or compared.
public struct TLSIdentity: Sendable, CustomStringConvertible {
    /// Its certificate.
    public let certificate: TLSCertificate
    /// The certificates between it and one that the other side trusts, in order.
    public let chain: [TLSCertificate]
    /// The key and the certificates as the engine has them.
    let keyPair: TLSKeyPair

    init(_ keyPair: TLSKeyPair) throws(TLSError) {
        self.keyPair = keyPair
        certificate = try keyPair.certificate
        chain = try keyPair.chain
    }

    /// Reads certificates and a key in PEM.
    ///
    /// The first certificate is the identity's own, the others are its chain; both may be in one
    /// file, given twice. `password` is for a key that is encrypted. Throws
    /// ``TLSError/Kind/badIdentity`` or ``TLSError/Kind/badPassword``.
    public init(
        certificates: [UInt8], key: [UInt8], password: String? = nil
    ) throws(TLSError) {
        try self.init(TLSKeyPair(certificates: certificates, key: key, password: password))
    }

    /// Reads a PKCS#12 file (`.p12`, `.pfx`), as Keychain Access and Windows export them.
    ///
    /// Files with outdated ciphers (RC2-40, as old exports use) need OpenSSL's legacy provider and are
    /// refused without it. Throws ``TLSError/Kind/badIdentity`` or ``TLSError/Kind/badPassword``.
    public init(pkcs12: [UInt8], password: String) throws(TLSError) {
        try self.init(TLSKeyPair(pkcs12: pkcs12, password: password))
    }

    /// Makes an identity that vouches for itself, with a new P-256 key: for development, and for
    /// devices whose users compare the fingerprint.
    ///
    /// `hosts` are host names and numeric addresses, 100 at most; the first becomes the subject too,
    /// and there must be one. It is valid since yesterday and for `days`, which Apple systems want to
    /// be 825 at most. Throws ``TLSError/Kind/badSetting`` for hosts that are none.
    public static func selfSigned(hosts: [String], days: Int = 397) throws(TLSError) -> TLSIdentity
    {
        try selfSigned(hosts: hosts, days: days, now: System.withoutLoop.unixTime())
    }

    /// The same, as if it were another time, in seconds since 1970.
    package static func selfSigned(hosts: [String], days: Int, now: Int64) throws(TLSError)
        -> TLSIdentity
    {
        try TLSIdentity(TLSKeyPair(selfSignedFor: hosts, days: days, now: now))
    }

    /// The certificates, its own first, in PEM.
    public var certificatesInPEM: [UInt8] {
        get throws(TLSError) { try keyPair.certificatesInPEM }
    }

    /// The private key in PEM (PKCS#8), not encrypted.
    ///
    /// Whoever has it can pose as this identity: write it where nobody else reads.
    package var keyInPEM: [UInt8] {
        get throws(TLSError) { try keyPair.keyInPEM }
    }

    /// The subject and the fingerprint; nothing of the key.
    public var description: String { "\(certificate.subject) (\(certificate.fingerprint))" }
}
