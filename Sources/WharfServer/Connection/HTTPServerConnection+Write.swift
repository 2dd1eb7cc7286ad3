import WharfHTTP
import WharfNet

/// How a connection writes responses.
extension HTTPServerConnection {
    /// Bodies up to this size leave in one call with their head.
    private static let coalescingMax = 64 * 1024
    /// Answers that wait for others are sent when they come to this many bytes.
    private static let outboxMax = 64 * 1024

    /// Sends a response: whether it went out whole, and how many bytes of body.
    func send(
        _ response: Response, to head: HTTPRequestHead, _ execution: Execution
    ) async -> (isWhole: Bool, byteCount: Int64) {
        let framing = ResponseFraming(response, version: head.version)
        if framing == .untilClose { unsafe isClosing = true }
        if case .upgrade(let use) = response.body.storage {
            return (await upgrade(response, use), 0)
        }
        appendHead(response, framing, to: head)
        let before = unsafe sentByteCount
        do {
            if head.request.method != .head, framing != .none {
                try await sendBody(of: response, framing, execution)
            }
            if unsafe outbox.count > Self.outboxMax { try await sendOutbox() }
        } catch {
            server.log(.info, "\(identity.peer.address): response cut: \(error)")
            // The client must not take a part for the whole: RST, not FIN.
            socket.reset()
            return unsafe (false, sentByteCount - before)
        }
        return unsafe (true, sentByteCount - before)
    }

    /// Answers bytes that are no request, and ends.
    func refuse(_ error: HTTPParseError) async {
        unsafe isClosing = true
        server.log(
            .notice, "\(identity.peer.address): refused, \(error.status.code): \(error.reason)")
        let response = server.errorPage(error.status)
        appendHead(response, .length(response.body.length ?? 0), to: nil)
        if case .string(let text) = response.body.storage {
            unsafe outbox.append(contentsOf: text.utf8)
        }
        // How the end of what the client sends is found is unknown: read it, unseen, to the close.
        unsafe body.fail(error)
    }

    private func appendHead(
        _ response: Response, _ framing: ResponseFraming, to head: HTTPRequestHead?
    ) {
        unsafe HeadSerializer.appendStatusLine(response.status, to: &outbox)
        unsafe state.appendDate(to: &outbox)
        if let type = response.contentType, !response.fields.contains(.contentType) {
            unsafe HeadSerializer.appendField("Content-Type", type, to: &outbox)
        }
        if !response.fields.isEmpty {
            unsafe HeadSerializer.appendFields(response.fieldsWithoutFraming, to: &outbox)
        }
        switch framing {
        case .none, .untilClose: break
        case .length(let length): unsafe HeadSerializer.appendContentLength(length, to: &outbox)
        case .chunked:
            unsafe HeadSerializer.appendField("Transfer-Encoding", "chunked", to: &outbox)
        }
        if unsafe isClosing {
            unsafe HeadSerializer.appendField("Connection", "close", to: &outbox)
        } else if head?.version == .http10 {
            // RFC 9112 §9.3: a 1.0 client that asked to keep the connection wants to be told.
            unsafe HeadSerializer.appendField("Connection", "keep-alive", to: &outbox)
        }
        unsafe HeadSerializer.appendEnd(to: &outbox)
    }

    private func sendBody(
        of response: Response, _ framing: ResponseFraming, _ execution: Execution
    ) async throws {
        switch response.body.storage {
        case .empty, .upgrade:
            break
        case .string(let text):
            unsafe sentByteCount += Int64(text.utf8.count)
            if text.utf8.count <= Self.coalescingMax {
                unsafe outbox.append(contentsOf: text.utf8)
            } else {
                try await sendOutbox(hasMore: true)
                try await transmit(Array(text.utf8))
            }
        case .bytes(let bytes):
            try await sendBody(bytes, isChunk: false, mayWait: true)
        case .file(let slices):
            for slice in slices { try await send(slice) }
        case .stream(_, let write):
            try await sendStream(framing, execution, write)
        }
    }

    private func sendStream(
        _ framing: ResponseFraming, _ execution: Execution,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) async throws {
        // The head goes first, even if the first byte takes long.
        try await sendOutbox()
        let link = BodyWriterLink(self, framing)
        watchClient(true)
        defer { watchClient(false) }
        do {
            try await server.run(on: execution) { try await write(HTTPBodyWriter(link: link)) }
        } catch {
            _ = link.finish()
            throw error
        }
        guard link.finish() else { throw HTTPExchangeError(.wrongLength) }
        if framing == .chunked {
            unsafe ChunkedEncoder.appendEnd(to: &outbox)
            try await sendOutbox()
        }
    }

    /// Sends a piece of a body, as a chunk or as it is; for ``BodyWriterLink`` too.
    func sendBody(_ bytes: [UInt8], isChunk: Bool, mayWait: Bool = false) async throws {
        unsafe sentByteCount += Int64(bytes.count)
        if isChunk { unsafe ChunkedEncoder.appendHead(count: bytes.count, to: &outbox) }
        if bytes.count <= Self.coalescingMax {
            unsafe outbox.append(contentsOf: bytes)
        } else {
            try await sendOutbox(hasMore: true)
            try await transmit(bytes)
        }
        if isChunk { unsafe outbox.append(contentsOf: ChunkedEncoder.dataEnd) }
        if !mayWait { try await sendOutbox() }
    }

    private func send(_ slice: FileSlice) async throws {
        unsafe outbox.append(contentsOf: slice.prefix)
        unsafe sentByteCount += Int64(slice.prefix.count)
        guard let span = slice.span else { return }
        unsafe sentByteCount += Int64(span.range.count)
        if span.range.count <= Self.coalescingMax,
            unsafe state.loop.appendIfCached(span, to: &outbox)
        {
            return
        }
        try await sendOutbox(hasMore: true)
        var offset = span.range.lowerBound
        var warmEnd = offset
        while offset < span.range.upperBound {
            let window = span.window(from: offset)
            if offset >= warmEnd {
                if !span.isCached(window) {
                    try await server.pool.run { span.warm(window) }
                }
                warmEnd = window.upperBound
            }
            guard let count = try socket.sendFile(span, window) else {
                try await socket.expectWritable(patience: server.writeTimeout)
                continue
            }
            offset += Int64(count)
            await socket.yieldIfDue()
        }
    }

    // MARK: The outbox

    /// Sends what is ready. False when the connection is gone.
    func flush() async -> Bool {
        guard unsafe !outbox.isEmpty else { return true }
        do {
            try await sendOutbox()
            return true
        } catch {
            unsafe outbox.removeAll()
            socket.reset()
            return false
        }
    }

    private func sendOutbox(hasMore: Bool = false) async throws {
        guard unsafe !outbox.isEmpty else { return }
        // Mostly all of it fits at once, and nothing has to be moved.
        let sent = unsafe try socket.send(outbox, from: 0, hasMore: hasMore) ?? 0
        if unsafe sent == outbox.count {
            unsafe outbox.removeAll(keepingCapacity: true)
            return
        }
        var rest = unsafe outbox
        unsafe outbox = []
        rest.removeFirst(sent)
        try await socket.sendAll(rest, hasMore: hasMore, patience: server.writeTimeout)
    }

    private func transmit(_ bytes: [UInt8]) async throws {
        try await socket.sendAll(bytes, patience: server.writeTimeout)
    }

    // MARK: Another protocol

    private func upgrade(
        _ response: Response, _ use: @escaping @Sendable (UpgradedStream) async throws -> Void
    ) async -> Bool {
        unsafe HeadSerializer.appendStatusLine(response.status, to: &outbox)
        unsafe state.appendDate(to: &outbox)
        unsafe HeadSerializer.appendFields(response.fieldsWithoutFraming, to: &outbox)
        unsafe HeadSerializer.appendField("Connection", "upgrade", to: &outbox)
        unsafe HeadSerializer.appendEnd(to: &outbox)
        guard await flush() else { return false }
        unsafe isClosing = true
        isUpgraded = true
        let link = UpgradedLink(self)
        defer { link.expire() }
        do {
            try await use(UpgradedStream(link: link))
        } catch {
            server.log(.info, "\(identity.peer.address): upgraded connection ended: \(error)")
        }
        return true
    }
}

extension Response {
    /// The fields without those that only the connection can know (RFC 9112 §6, §9).
    var fieldsWithoutFraming: HTTPFields {
        var fields = fields
        for name: HTTPField.Name in [
            .contentLength, .transferEncoding, .connection, .date,
        ] where fields.contains(name) {
            fields.removeAll(named: name)
        }
        return fields
    }
}
