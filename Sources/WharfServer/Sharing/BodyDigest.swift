package import WharfCrypto
package import WharfHTTP

/// A digest that a client has sent of what it sends (RFC 9530).
package struct BodyDigest: Sendable, Hashable {
    package let algorithm: HashAlgorithm
    package let digest: [UInt8]

    /// §5: the others are known to be broken, or are no hash functions.
    static let algorithms: [(name: String, algorithm: HashAlgorithm)] = [
        ("sha-256", .sha256), ("sha-512", .sha512),
    ]

    /// The digests of a field's value that are understood.
    static func understood(_ value: String?) -> [BodyDigest] {
        guard let value, let dictionary = StructuredField.dictionary(value) else { return [] }
        return algorithms.compactMap { known in
            guard case .bytes(let digest) = dictionary[known.name]?.value else { return nil }
            return BodyDigest(algorithm: known.algorithm, digest: digest)
        }
    }

    /// What a digest is written as in a field.
    static func text(_ algorithm: HashAlgorithm, _ digest: [UInt8]) -> String? {
        algorithms.first { $0.algorithm == algorithm }
            .map { "\($0.name)=\(StructuredValue.bytes(digest))" }
    }
}

/// The digests that a request's body is to have, while it passes.
///
/// The file is what the body is, so Repr-Digest and Content-Digest say the same of it: no coding is
/// taken, and no part.
struct RequestDigests: Sendable {
    private let hashes: [RunningHash]
    private let expected: [BodyDigest]
    private let wanted: HashAlgorithm?

    /// What trailers may still say.
    private static let names: [HTTPField.Name] = [.contentDigest, .reprDigest]

    /// `nil`: there is nothing to compute.
    init?(_ request: Request) {
        expected = Self.names.flatMap { request.expectedDigests($0) }
        wanted = request.wantedDigest(.wantReprDigest) ?? request.wantedDigest(.wantContentDigest)
        let announced = request.fields[.trailer]
        var algorithms = Set(expected.map(\.algorithm))
        if let wanted { algorithms.insert(wanted) }
        if let announced, announced.lowercased().contains("digest") {
            algorithms.formUnion(BodyDigest.algorithms.map(\.algorithm))
        }
        guard !algorithms.isEmpty else { return nil }
        hashes = algorithms.map { RunningHash($0) }
    }

    func update(_ bytes: Span<UInt8>) {
        for hash in hashes { hash.update(bytes) }
    }

    /// Throws 400 when a digest is another than was said: the value for Repr-Digest if one is wanted.
    func check(_ request: Request) throws -> String? {
        var computed: [HashAlgorithm: [UInt8]] = [:]
        for hash in hashes { computed[hash.algorithm] = hash.finish() }
        let trailers = request.body.trailers
        let said = expected + Self.names.flatMap { BodyDigest.understood(trailers[$0]) }
        guard said.allSatisfy({ (computed[$0.algorithm] ?? $0.digest) == $0.digest }) else {
            throw HTTPError(.badRequest, reason: "the digest of the body is another")
        }
        return wanted.flatMap { algorithm in
            computed[algorithm].flatMap { BodyDigest.text(algorithm, $0) }
        }
    }
}

extension Request {
    /// The digests of a field that are understood; the others are as good as not there.
    package func expectedDigests(_ name: HTTPField.Name) -> [BodyDigest] {
        BodyDigest.understood(fields[name])
    }

    /// The hash function that the client wants a digest by most, if there is one (§4).
    func wantedDigest(_ name: HTTPField.Name) -> HashAlgorithm? {
        guard let value = fields[name], let dictionary = StructuredField.dictionary(value) else {
            return nil
        }
        let weights = BodyDigest.algorithms.compactMap { known -> (Int64, HashAlgorithm)? in
            guard case .integer(let weight) = dictionary[known.name]?.value,
                (1...10).contains(weight)
            else { return nil }
            return (weight, known.algorithm)
        }
        return weights.max { $0.0 < $1.0 }?.1
    }
}
