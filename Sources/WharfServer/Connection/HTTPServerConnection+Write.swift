import WharfHTTP
import WharfNet

/// How a connection writes responses.
extension HTTPServerConnection {
    /// Bodies up to this size leave in one call with their head.
    private static let coalescingMax = 64 * 1024
    /// Answers that wait for others are sent when they come to this many bytes.
    private static let waitingMax = 64 * 1024

    // MARK: Whole responses

    /// Makes a whole response ready, if it is small and needs no waiting.
    func appendWhole(
        _ response: Response, isHead: Bool, version: HTTPVersion, isClosing: Bool
    ) -> Bool {
        let span = response.body.smallFile(countMax: Self.coalescingMax)
        guard
            span != nil
                || response.body.inMemoryCount.map({ $0 <= Self.coalescingMax }) ?? false,
            stream.outputCount <= Self.waitingMax || stream.flushAtOnce()
        else { return false }
        let length = response.body.length
        let framing = ResponseFraming(response.status, length: length, version: version)
        let sendsBody = framing != .none && !isHead
        // Two closures: one with a name of its own would be kept on the heap, with the response.
        if let span, sendsBody {
            let isCached = stream.writeIfCached(span) { output in
                appendHead(response, framing, version: version, isClosing: isClosing, to: &output)
            }
            guard isCached else { return false }
        } else {
            stream.write { output in
                appendHead(response, framing, version: version, isClosing: isClosing, to: &output)
                if sendsBody { response.body.appendInMemory(to: &output) }
            }
        }
        if isClosing { self.isClosing = true }
        bodyExtent = BodyExtent(start: stream.position - (sendsBody ? length ?? 0 : 0))
        return true
    }

    /// Sends a response whose body is a file in memory, as far as the socket takes it at once: what
    /// is left of the file, or `nil` if nothing was begun.
    func beginFile(_ response: Response, version: HTTPVersion, isClosing: Bool) -> FileSpan? {
        guard let span = response.body.smallFile(countMax: Int(FileSpan.windowSizeMax)),
            stream.flushAtOnce(), span.isCached(span.range)
        else { return nil }
        let framing = ResponseFraming(
            response.status, length: response.body.length, version: version)
        guard framing != .none else { return nil }
        if isClosing { self.isClosing = true }
        stream.write { output in
            appendHead(response, framing, version: version, isClosing: isClosing, to: &output)
        }
        bodyExtent = BodyExtent(start: stream.position)
        return stream.sendAtOnce(span)
    }

    /// Answers bytes that are no request, and ends.
    func refuse(_ error: HTTPParseError, page: Response? = nil) {
        isClosing = true
        state.tally.noteRefusal()
        recorder?.begin()
        server.log(
            .notice, "\(identity.peer.address): refused, \(error.status.code): \(error.reason)")
        let page = page ?? server.pageWithoutRequest(error.status)
        let framing = ResponseFraming.length(page.body.length ?? 0)
        stream.write { output in
            appendHead(page, framing, version: .http11, isClosing: true, to: &output)
            page.body.appendInMemory(to: &output)
        }
    }

    private func appendHead(
        _ response: Response, _ framing: ResponseFraming, version: HTTPVersion,
        isClosing: Bool, to output: inout [UInt8]
    ) {
        state.tally.noteStatus(response.status.code)
        state.appendStart(response.status, to: &output)
        if response.fields.isEmpty {
            response.media?.append(to: &output)
        } else {
            if !response.fields.contains(.contentType) { response.media?.append(to: &output) }
            HeadSerializer.appendFields(response.fieldsWithoutFraming, to: &output)
        }
        switch framing {
        case .none, .untilClose: break
        case .length(let length): HeadSerializer.appendContentLength(length, to: &output)
        case .chunked: HeadSerializer.appendField("Transfer-Encoding", "chunked", to: &output)
        }
        if isClosing {
            HeadSerializer.appendField("Connection", "close", to: &output)
        } else if version == .http10 {
            // RFC 9112 §9.3: a 1.0 client that asked to keep the connection wants to be told.
            HeadSerializer.appendField("Connection", "keep-alive", to: &output)
        }
        HeadSerializer.appendEnd(to: &output)
    }

    // MARK: Responses of any kind

    /// Sends an exchange's response: whether it went out whole.
    @inline(never)
    func send(_ exchange: Exchange) async -> Bool {
        guard let response = exchange.response else { return false }
        if let rest = exchange.rest { return await sendRest(rest, of: exchange.request) }
        if case .upgrade(let use) = response.body.storage {
            return await upgrade(exchange, response, use)
        }
        let isHead = exchange.request.method == .head
        let framing = ResponseFraming(
            response.status, length: response.body.length,
            version: exchange.request.received.version)
        if mustClose(isKeepAlive: exchange.request.received.isKeepAlive) || framing == .untilClose {
            isClosing = true
        }
        // RFC 9110 §10.1.1: no 100 after the final status; whoever reads now waits for the body as it is.
        exchange.body?.awaitsContinue = false
        if appendWhole(
            response, isHead: isHead, version: exchange.request.received.version,
            isClosing: isClosing)
        {
            return true
        }
        stream.write { output in
            appendHead(
                response, framing, version: exchange.request.received.version, isClosing: isClosing,
                to: &output)
        }
        bodyExtent = BodyExtent(start: stream.position)
        guard !isHead, framing != .none else { return true }
        do {
            try await sendBody(of: response, framing, exchange)
            return true
        } catch {
            cut(exchange.request, error)
            return false
        }
    }

    @inline(never)
    private func sendRest(_ rest: FileSpan, of request: Request) async -> Bool {
        do {
            try await send(FileSlice(span: rest))
            return true
        } catch {
            cut(request, error)
            return false
        }
    }

    /// Ends a response in its midst.
    private func cut(_ request: Request, _ error: any Error) {
        let level: HTTPLog.Level
        let reason: String
        switch error as? Errno {
        case .truncated?: (level, reason) = (.notice, "the file became shorter while it was sent")
        case .unreadable?: (level, reason) = (.error, "the file can't be read any more")
        default: (level, reason) = (.info, "response cut: \(error)")
        }
        server.log(level, "\(request.place): \(reason)")
        // The client must not take a part for the whole: RST, not FIN.
        stream.reset()
    }

    @inline(never)
    private func sendBody(
        of response: Response, _ framing: ResponseFraming, _ exchange: Exchange
    ) async throws {
        switch response.body.storage {
        case .empty, .upgrade:
            break
        case .string(let text):
            try await send(Array(text.utf8))
        case .bytes(let bytes):
            try await send(bytes)
        case .file(let slices):
            for slice in slices { try await send(slice) }
        case .stream(let source):
            try await sendStream(source, framing, exchange)
        }
    }

    func send(_ bytes: [UInt8]) async throws {
        if bytes.count <= Self.coalescingMax {
            stream.write { $0.append(contentsOf: bytes) }
        } else {
            try await stream.send(bytes)
        }
    }

    @inline(never)
    private func send(_ slice: FileSlice) async throws {
        if !slice.prefix.isEmpty { try await send(slice.prefix) }
        guard let span = slice.span else { return }
        try await stream.send(span) { window in
            try await server.pool.run { span.warm(window) }
        }
    }

    // MARK: At any time

    /// Sends what is ready.
    ///
    /// False when the connection is gone.
    func flush() async -> Bool {
        defer {
            noteTraffic()
            tellEnded()
        }
        if stream.flushAtOnce() { return true }
        do {
            try await stream.flush()
            return true
        } catch {
            stream.reset()
            return false
        }
    }

    // MARK: Another protocol

    @inline(never)
    private func upgrade(
        _ exchange: Exchange, _ response: Response,
        _ use: @escaping @Sendable (UpgradedStream) async throws -> Void
    ) async -> Bool {
        // RFC 9110 §7.8: only to who has asked, and after the whole request.
        guard exchange.request.received.hasUpgrade, await hasRead(exchange.body) else {
            let error = HTTPError(
                .internalServerError, reason: "an upgrade that the request does not allow")
            exchange.response = server.errorResponse(
                error, exchange.request, now: state.loop.now)
            return await send(exchange)
        }
        state.tally.noteStatus(response.status.code)
        stream.write { output in
            state.appendStart(response.status, to: &output)
            HeadSerializer.appendFields(response.fieldsWithoutFraming, to: &output)
            HeadSerializer.appendField("Connection", "upgrade", to: &output)
            HeadSerializer.appendEnd(to: &output)
        }
        bodyExtent = BodyExtent(start: stream.position)
        guard await flush() else { return false }
        isClosing = true
        isUpgraded = true
        recorder?.stop()
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

extension ResponseBody {
    /// Bytes of a body that is in memory, and `nil` for the others.
    var inMemoryCount: Int? {
        switch storage {
        case .empty: 0
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .file, .stream, .upgrade: nil
        }
    }

    /// Whether it can be sent without running a closure, which may read the request's body.
    var isReadyToSend: Bool {
        switch storage {
        case .empty, .string, .bytes, .file: true
        case .stream, .upgrade: false
        }
    }

    /// The part of a file that is all of the body, if it is no longer than that.
    fileprivate func smallFile(countMax: Int) -> FileSpan? {
        guard case .file(let slices) = storage, slices.count == 1, slices[0].prefix.isEmpty,
            let span = slices[0].span, span.range.count <= countMax
        else { return nil }
        return span
    }

    fileprivate func appendInMemory(to output: inout [UInt8]) {
        switch storage {
        case .string(let text): output.append(contentsOf: text.utf8)
        case .bytes(let bytes): output.append(contentsOf: bytes)
        case .empty, .file, .stream, .upgrade: break
        }
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
