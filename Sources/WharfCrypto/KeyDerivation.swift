/// Slow functions that make keys of passwords, so that a stolen list of them can't be tried out
/// quickly.
///
/// They take long on purpose: never call one on an event loop.
package enum KeyDerivation {
    /// What scrypt costs (RFC 7914 §2).
    package struct ScryptCost: Sendable, Hashable {
        /// The logarithm, to the base 2, of how often the memory is gone over.
        package let logarithm: Int
        /// The size of a block, in 128 bytes.
        package let blockSize: Int
        /// How often it is all done.
        package let repetitionCount: Int

        /// `nil`: it is no cost that RFC 7914 allows, or it takes more than ``memoryMax``.
        package init?(logarithm: Int, blockSize: Int, repetitionCount: Int) {
            guard (1...24).contains(logarithm), (1...256).contains(blockSize),
                (1...64).contains(repetitionCount), 128 * blockSize << logarithm <= Self.memoryMax
            else { return nil }
            self.logarithm = logarithm
            self.blockSize = blockSize
            self.repetitionCount = repetitionCount
        }

        /// Bytes that scrypt may take while it computes.
        package static let memoryMax = 256 * 1024 * 1024
    }
}
