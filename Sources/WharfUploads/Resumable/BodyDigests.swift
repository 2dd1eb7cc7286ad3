import WharfCrypto
import WharfHTTP
import WharfServer

/// What Content-Digest says of the body of one request of an upload (RFC 9530 §2).
enum BodyDigests {
    /// What has to be computed and compared; `nil` when the client says nothing that is understood.
    static func expected(_ request: Request) throws -> ExpectedChecksum? {
        let digests = request.expectedDigests(.contentDigest)
        guard !digests.isEmpty else { return nil }
        return ExpectedChecksum(algorithms: digests.map(\.algorithm)) { computed in
            guard zip(digests, computed).allSatisfy({ $0.digest == $1.1 }) else {
                throw HTTPError(.badRequest, reason: "Content-Digest is another")
            }
        }
    }
}
