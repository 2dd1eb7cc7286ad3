package import WharfNet

/// A body that was received before the request that it is handed on with: an upload in several parts.
///
/// Who reads it as any other body gets it piece by piece; a ``Share`` gives the file its name instead
/// of copying it. Whoever made it says what becomes of the file when nobody has placed it.
package final class StagedBody: Sendable {
    let writer: FileWriter
    let pool: BlockingPool
    private let offset = Locked<Int64>(0)

    private static let pieceMax = 64 * 1024

    /// Stands for all that a writer has.
    package init(_ writer: FileWriter, pool: BlockingPool) {
        self.writer = writer
        self.pool = pool
    }

    /// The next piece, by the pool; `nil` at the end.
    func next() async throws -> [UInt8]? {
        let piece = try await pool.run { [self] in
            let start = offset.withLock { $0 }
            var piece = [UInt8](repeating: 0, count: Self.pieceMax)
            // The pointer is used inside the call only.
            let answer = unsafe piece.withUnsafeMutableBytes {
                unsafe writer.read(into: $0, at: start)
            }
            piece.removeLast(Self.pieceMax - (try answer.get()))
            offset.withLock { $0 = start + Int64(piece.count) }
            return piece
        }
        return piece.isEmpty ? nil : piece
    }
}
