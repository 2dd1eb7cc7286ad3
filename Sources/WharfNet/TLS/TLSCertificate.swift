/// An X.509 certificate.
public struct TLSCertificate: Sendable, Hashable {
    /// Its bytes (DER).
    public let bytes: [UInt8]
    /// Whom it is for, as RFC 2253 writes it: `CN=wharf.local,O=Example`.
    public let subject: String
    /// Who signed it, likewise.
    public let issuer: String
    /// The host names and addresses that it is for, as text: `wharf.local`, `*.example.com`, `::1`.
    ///
    /// A certificate without such names has none, whatever its subject says.
    public let hosts: [String]
    /// Its number, in hexadecimal digits.
    public let serialNumber: String
    /// When it starts to be valid, in seconds since 1970.
    public let notBefore: Int64
    /// The last second in which it is valid, since 1970.
    public let notAfter: Int64
    /// The SHA-256 of the certificate.
    public let fingerprint: TLSFingerprint
    /// The SHA-256 of the public key in it (SubjectPublicKeyInfo), to be pinned.
    ///
    /// It stays the same when the certificate is renewed for the same key.
    public let keyFingerprint: TLSFingerprint
}

/// A SHA-256 of a certificate or of its key.
public struct TLSFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Takes over 32 bytes.
    ///
    /// `nil` for another count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// A digest that was just computed.
    init(digest: [UInt8]) {
        bytes = digest
    }

    /// Reads 64 hexadecimal digits of either case, with or without colons between them.
    ///
    /// `nil` for anything else.
    public init?(_ text: String) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in text.utf8.prefix(128) where byte != UInt8(ascii: ":") {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil, text.utf8.count <= 128 else { return nil }
        self.init(bytes: bytes)
    }

    /// Pairs of capital hexadecimal digits with colons between them, as browsers show it.
    public var description: String {
        let digits = Array("0123456789ABCDEF")
        return bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
            .joined(separator: ":")
    }
}
