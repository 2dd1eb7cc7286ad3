/// A hash of what passes, for closures that can't hold a ``Hash``.
package final class RunningHash: @unchecked Sendable {
    // @unchecked: whoever uses it hands it one run of bytes after the other, and then finishes it.

    /// What is computed.
    package let algorithm: HashAlgorithm
    private var hash: Hash?

    /// A hash of nothing yet.
    package init(_ algorithm: HashAlgorithm) {
        self.algorithm = algorithm
        hash = Hash(algorithm)
    }

    /// Adds bytes, unless it is finished.
    package func update(_ bytes: borrowing Span<UInt8>) {
        hash?.update(bytes)
    }

    /// The digest of everything added; empty when it was asked for before.
    package func finish() -> [UInt8] {
        guard let hash = hash.take() else { return [] }
        return hash.finish()
    }
}
