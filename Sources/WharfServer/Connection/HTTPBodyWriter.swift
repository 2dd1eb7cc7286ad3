import WharfNet

/// Writes the body of a response while it is sent.
///
/// It is valid while the closure that got it runs; writing later throws ``HTTPExchangeError``.
/// A write returns when the bytes are on their way, so a slow client slows the writer down.
public struct HTTPBodyWriter: Sendable {
    let link: BodyWriterLink

    /// Sends bytes.
    ///
    /// Throws when the client has gone, or when there are more than were announced.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await link.state.loop.confine { [link] in try await link.write(bytes) }
    }

    /// Sends a text in UTF-8; see ``write(_:)-(Array<UInt8>)``.
    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }
}

/// The link from a writer to its connection.
///
/// It is cut when the body ends.
final class BodyWriterLink: @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop only.

    let state: LoopState
    private var connection: HTTPServerConnection?
    private let framing: ResponseFraming
    private var remaining: Int64?
    private var isWriting = false
    /// A write has failed: bytes may be missing, whatever the closure makes of its error.
    private var hasFailed = false

    init(_ connection: HTTPServerConnection, _ framing: ResponseFraming) {
        self.connection = connection
        self.framing = framing
        state = connection.state
        if case .length(let length) = framing { remaining = length }
    }

    func write(_ bytes: [UInt8]) async throws {
        guard let connection else { throw HTTPExchangeError(.ended) }
        guard !isWriting else { throw HTTPExchangeError(.alreadyInUse) }
        if let left = remaining {
            guard left >= bytes.count else { throw HTTPExchangeError(.wrongLength) }
            remaining = left - Int64(bytes.count)
        }
        guard !hasFailed else { throw HTTPExchangeError(.disconnected) }
        isWriting = true
        defer { isWriting = false }
        hasFailed = true
        try await connection.sendPiece(bytes, isChunk: framing == .chunked)
        hasFailed = false
    }

    /// Ends the body: true when it is whole.
    func finish() -> Bool {
        connection = nil
        return (remaining ?? 0) == 0 && !isWriting && !hasFailed
    }
}
