import WharfBLIPEngine
import WharfNet

/// A body that is read piece by piece, as it comes.
///
///     for try await part in body { try file.write(part) }
///
/// One task may read it, once, until the closure that got it returns. No more of it is sent than is
/// read: the other end is told of what was. Reading throws ``BLIPConnectionError`` when the rest does
/// not come, so a loop that ends without an error has seen all of it.
public struct BLIPBody: AsyncSequence, Sendable {
    /// A piece of it.
    public typealias Element = [UInt8]

    let inbox: BLIPInbox
    let link: BLIPLink

    /// Reads it in its order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let body: BLIPBody

        /// The next piece; `nil` at the end.
        public mutating func next() async throws -> [UInt8]? { try await body.next() }
    }

    /// Begins, or goes on, to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    private func next() async throws -> [UInt8]? {
        if link.loop.isCurrent, let piece = link.takePiece(of: inbox) { return piece }
        return try await link.loop.confine { [inbox, link] in try await link.nextPiece(of: inbox) }
    }

    /// Reads the rest.
    ///
    /// Throws ``BLIPConnectionError/Kind/tooLong`` past `countMax` bytes.
    public func collect(upTo countMax: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self {
            guard piece.count <= countMax - bytes.count else { throw BLIPConnectionError(.tooLong) }
            bytes += piece
        }
        return bytes
    }
}

/// Writes the body of a message while it is sent.
public struct BLIPBodyWriter: Sendable {
    let id: BLIPMessageID
    let link: BLIPLink

    /// Adds bytes; returns when more can be taken.
    ///
    /// Throws ``BLIPConnectionError`` when the connection has ended, and `CancellationError`.
    public func write(_ bytes: [UInt8]) async throws {
        try await link.loop.confine { [id, link] in try await link.write(bytes, to: id) }
    }
}
