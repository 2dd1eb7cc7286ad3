/// The hash functions that protocols ask for.
package enum HashAlgorithm: Sendable, Hashable, CaseIterable {
    /// For Digest with old clients only; broken for anything else.
    case md5
    /// For the WebSocket handshake and for names of content; not for signatures.
    case sha1
    case sha256
    case sha512

    /// Bytes of a digest.
    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}

extension Hash {
    /// The digest of one run of bytes.
    package static func digest(_ algorithm: HashAlgorithm, of bytes: [UInt8]) -> [UInt8] {
        var hash = Hash(algorithm)
        hash.update(bytes.span)
        return hash.finish()
    }
}

/// Constant-time work on secrets.
package enum Secrets {
    /// Whether both are equal, in a time that depends on their lengths only.
    package static func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(left, right) { difference |= one ^ other }
        return isZero(difference)
    }

    // Not inlined, so that the loop above cannot be left early by an optimiser that sees both.
    @inline(never)
    private static func isZero(_ value: UInt8) -> Bool { value == 0 }
}
