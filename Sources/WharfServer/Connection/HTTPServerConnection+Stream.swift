import WharfHTTP
import WharfNet

/// How a connection sends a body that a closure writes.
extension HTTPServerConnection {
    /// Runs the closure, and sends what it writes.
    @inline(never)
    func sendStream(
        _ source: StreamSource, _ framing: ResponseFraming, _ exchange: Exchange
    ) async throws {
        // The head goes first, even if the first byte takes long.
        try await stream.flush()
        let link = try BodyWriterLink(
            self, source, framing, keepsTrailers: exchange.request.fields.keepTrailers)
        let heartbeat = source.heartbeat.map { Heartbeat(of: link, every: $0) }
        defer { heartbeat?.stop() }
        do {
            try await run(source, link, exchange.execution)
        } catch  where source.isEndless && isOver {
            server.log(.debug, "\(exchange.request.place): the stream has ended: \(error)")
        } catch {
            link.expire()
            throw error
        }
        if source.isEndless, isOver { isClosing = true }
        let rest = try link.finish()
        if !rest.isEmpty { try await sendPiece(rest, isChunk: framing == .chunked) }
        if framing == .chunked {
            writeFraming { ChunkedEncoder.appendEnd(trailers: link.trailers, to: &$0) }
            try await stream.flush()
        }
    }

    private func run(
        _ source: StreamSource, _ link: BodyWriterLink, _ execution: Execution
    ) async throws {
        socket.cancelsTaskAtFinish = source.isEndless
        watchClient(true)
        defer {
            watchClient(false)
            socket.cancelsTaskAtFinish = false
        }
        // It began when the server was being stopped already.
        if source.isEndless, state.isDraining { socket.cancelTask() }
        try await server.goOn(on: execution) {
            try await source.write(HTTPBodyWriter(sink: link))
        }
    }

    /// Whether nobody will want more of a stream without an end: its client has finished, or the
    /// server is to stop.
    private var isOver: Bool {
        !socket.isBroken && (socket.peerHasFinished || state.isDraining)
    }

    /// Sends a piece of a stream now, as a chunk or as it is; for ``BodyWriterLink``.
    func sendPiece(_ bytes: [UInt8], isChunk: Bool) async throws {
        if isChunk { writeFraming { ChunkedEncoder.appendHead(count: bytes.count, to: &$0) } }
        try await send(bytes)
        if isChunk { writeFraming { $0.append(contentsOf: ChunkedEncoder.dataEnd) } }
        try await stream.flush()
    }

    /// Sends a small piece without waiting: what isn't taken at once goes out with the next piece.
    func sendPieceAtOnce(_ bytes: [UInt8], isChunk: Bool) {
        if isChunk { writeFraming { ChunkedEncoder.appendHead(count: bytes.count, to: &$0) } }
        stream.write { $0.append(contentsOf: bytes) }
        if isChunk { writeFraming { $0.append(contentsOf: ChunkedEncoder.dataEnd) } }
        _ = stream.flushAtOnce()
    }

    private func writeFraming(_ append: (inout [UInt8]) -> Void) {
        let before = stream.position
        stream.write(append)
        bodyExtent.framingByteCount += stream.position - before
    }
}
