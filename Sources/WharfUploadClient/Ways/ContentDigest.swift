import WharfCrypto
import WharfHTTP
import WharfHTTPClient
import WharfNet

/// Digests of what is sent (RFC 9530).
enum ContentDigest {
    /// SHA-256 of some pieces; it reads their files, so it is for the pool.
    static func sha256(of segments: [HTTPClient.Body.Segment]) throws -> [UInt8] {
        try digest(.sha256, of: segments)
    }

    /// The digest of some pieces; it reads their files, so it is for the pool.
    static func digest(_ algorithm: HashAlgorithm, of segments: [HTTPClient.Body.Segment]) throws
        -> [UInt8]
    {
        var hash = Hash(algorithm)
        for segment in segments {
            switch segment {
            case .bytes(let bytes): hash.update(bytes.span)
            case .file(let source):
                try source.forEachPiece { hash.update($0.span) }
            }
        }
        return hash.finish()
    }

    /// The value of a Content-Digest or Repr-Digest field.
    static func field(_ digest: [UInt8]) -> String { "sha-256=:\(Base64.encode(digest)):" }
}
