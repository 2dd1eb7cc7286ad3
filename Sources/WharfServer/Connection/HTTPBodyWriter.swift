public import WharfHTTP
import WharfNet

/// Writes the body of a response while it is sent.
///
/// It is valid while the closure that got it runs; writing later throws ``HTTPExchangeError``.
/// A write returns when the bytes are on their way, so a slow client slows the writer down.
public struct HTTPBodyWriter: Sendable {
    let sink: any BodySink

    /// Sends bytes.
    ///
    /// Throws when the client has gone, or when there are more than were announced.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await sink.write(bytes)
    }

    /// Sends a text in UTF-8; see ``write(_:)-(Array<UInt8>)``.
    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    /// Sets the fields that follow the body, such as a digest of what was written.
    ///
    /// They are sent to clients that say that they keep them (`TE: trailers`), and only behind a body
    /// without an announced length; from others they are kept back, so nothing may depend on them.
    /// Throws ``HTTPExchangeError/Kind/forbiddenTrailer`` for fields that are needed before the
    /// body, such as those about its type, its length, caches and cookies (RFC 9110 §6.5.1).
    public func setTrailers(_ fields: HTTPFields) async throws {
        guard fields.firstForbiddenTrailer == nil else {
            throw HTTPExchangeError(.forbiddenTrailer)
        }
        try await sink.setTrailers(fields)
    }
}

/// Where the bytes of a writer go.
protocol BodySink: Sendable {
    /// Where files are read that have to be waited for.
    var pool: BlockingPool { get }

    func write(_ bytes: [UInt8]) async throws
    /// Waits; throws once nobody wants more.
    func pause(for duration: Duration) async throws
    func setTrailers(_ fields: HTTPFields) async throws
}

/// The link from a writer to its connection.
///
/// It is cut when the body ends.
final class BodyWriterLink: BodySink, @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop only.

    let state: LoopState
    let pool: BlockingPool
    /// What is to follow the body.
    private(set) var trailers = HTTPFields()
    /// When a piece was last sent; the loop's time.
    private(set) var lastWriteTime: UInt64

    private var connection: HTTPServerConnection?
    private let framing: ResponseFraming
    private let keepsTrailers: Bool
    private let encoder: BodyEncoder?
    /// Bytes that are still to be written; `nil` when nobody knows.
    private var remaining: Int64?
    private var isWriting = false
    /// A write has failed: bytes may be missing, whatever the closure makes of its error.
    private var hasFailed = false

    init(
        _ connection: HTTPServerConnection, _ source: StreamSource, _ framing: ResponseFraming,
        keepsTrailers: Bool
    ) throws {
        self.connection = connection
        self.framing = framing
        self.keepsTrailers = keepsTrailers
        encoder = try source.encoding.map { try BodyEncoder($0.coding, level: $0.level) }
        remaining = source.length
        state = connection.state
        pool = connection.server.pool
        lastWriteTime = state.loop.now
    }

    func write(_ bytes: [UInt8]) async throws {
        try await state.loop.confine { [self] in try await writeOnLoop(bytes) }
    }

    func pause(for duration: Duration) async throws {
        let loop = state.loop
        try await loop.confine { try await loop.sleep(until: loop.now &+ duration.nanoseconds) }
    }

    private func writeOnLoop(_ bytes: [UInt8]) async throws {
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
        lastWriteTime = state.loop.now
        if let encoder {
            try await send(bytes, through: encoder, connection)
        } else {
            try await connection.sendPiece(bytes, isChunk: framing == .chunked)
        }
        hasFailed = false
    }

    /// Compresses and sends a piece after the other; each gives others a turn.
    private func send(
        _ bytes: [UInt8], through encoder: BodyEncoder, _ connection: HTTPServerConnection
    ) async throws {
        var start = 0
        while start < bytes.count {
            let end = min(start + BodyEncoder.pieceMax, bytes.count)
            // What was written is to arrive, and not to wait for what is written next.
            let flush: Deflater.Flush = end == bytes.count ? .sync : .none
            let piece = try encoder.encode(bytes, start..<end, flush: flush)
            if !piece.isEmpty {
                try await connection.sendPiece(piece, isChunk: framing == .chunked)
            }
            start = end
            if start < bytes.count { await state.loop.yield() }
        }
    }

    /// Writes a few bytes in place, unless something is being written, waits to be sent, or failed.
    func writeAtOnce(_ bytes: [UInt8]) {
        guard let connection, !isWriting, !hasFailed, connection.stream.flushAtOnce() else {
            return
        }
        do {
            let piece = try encoder?.encode(bytes, bytes.indices, flush: .sync) ?? bytes
            connection.sendPieceAtOnce(piece, isChunk: framing == .chunked)
        } catch {
            // What follows would make no sense without it.
            hasFailed = true
        }
    }

    func setTrailers(_ fields: HTTPFields) async throws {
        try await state.loop.confine { [self] in
            guard connection != nil else { throw HTTPExchangeError(.ended) }
            if keepsTrailers { trailers = fields }
        }
    }

    /// Ends the body: the end of a compressed one, which may be empty.
    ///
    /// Throws when it isn't whole.
    func finish() throws -> [UInt8] {
        expire()
        guard (remaining ?? 0) == 0, !isWriting, !hasFailed else {
            throw HTTPExchangeError(.wrongLength)
        }
        return try encoder?.encode([], 0..<0, flush: .finish) ?? []
    }

    /// Cuts the link.
    func expire() {
        connection = nil
    }
}
