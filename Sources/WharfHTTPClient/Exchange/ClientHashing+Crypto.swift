import WharfCrypto
import WharfHTTP

extension ClientHashing {
    /// With the hash functions of WharfCrypto.
    static let wharf = ClientHashing(
        digest: { algorithm, bytes in
            switch algorithm {
            case .md5: Hash.digest(.md5, of: bytes)
            case .sha256: Hash.digest(.sha256, of: bytes)
            }
        },
        random: Random.bytes)
}
