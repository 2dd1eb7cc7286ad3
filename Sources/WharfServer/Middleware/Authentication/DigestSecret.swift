import WharfCrypto
public import WharfHTTP

/// What the scheme Digest keeps in the place of a password: H(A1) (RFC 7616 §3.4.2).
///
///     $digest-sha256$7987c64c30e25f1b74be53f966b49b90f2808aa92faf9a00262392d7b4794232
///
/// For its realm it is as good as the password: keep it where only the server can read it.
public struct DigestSecret: Sendable, Hashable {
    /// The hash function.
    public let algorithm: DigestAlgorithm
    let bytes: [UInt8]

    /// The secret of a user for a realm.
    public init(
        userName: String, realm: String, password: String, algorithm: DigestAlgorithm = .sha256
    ) {
        self.algorithm = algorithm
        bytes = Hash.digest(
            algorithm.hash,
            of: DigestCredentials.a1(userName: userName, realm: realm, password: password))
    }

    init(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    private static let names: [(DigestAlgorithm, String)] = [
        (.sha256, "$digest-sha256$"), (.md5, "$digest-md5$"),
    ]
}

extension DigestSecret: LosslessStringConvertible {
    /// Reads a stored secret; `nil` if it is malformed.
    public init?(_ description: String) {
        guard
            let (algorithm, prefix) = Self.names.first(where: { description.hasPrefix($0.1) }),
            let bytes = Hexadecimal.decode(description.dropFirst(prefix.count)),
            bytes.count == algorithm.hash.byteCount
        else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    /// The secret as it is stored.
    public var description: String {
        let prefix = Self.names.first { $0.0 == algorithm }?.1 ?? ""
        return prefix + Hexadecimal.encode(bytes)
    }
}

extension DigestAlgorithm {
    var hash: HashAlgorithm {
        switch self {
        case .sha256: .sha256
        case .md5: .md5
        }
    }

    /// The digest of some bytes in hexadecimal digits, as the scheme puts them together.
    func hexadecimal(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(Hash.digest(hash, of: bytes))
    }
}
