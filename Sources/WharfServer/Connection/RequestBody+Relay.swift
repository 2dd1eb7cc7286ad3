import WharfHTTP
import WharfNet

/// How a body gets to a disk: in large blocks, with few copies, received and written at once.
extension RequestBody {
    /// Hands the body to a closure that may block, in blocks, on the server's pool.
    ///
    /// From any task. It returns when the closure has dealt with all of it, or with all that was
    /// received when `isDone` said so, and throws what the closure throws, or why the body can't be
    /// had whole. The closure isn't called any more then.
    /// With `keepsRest` it gets what has come of a body that breaks off, too.
    func relay(
        keepsRest: Bool, to sink: @escaping BlockRelay.Sink,
        until isDone: @escaping @Sendable () -> Bool
    ) async throws {
        let (last, pool) = try await loop.confine { [self] in
            guard let connection else { throw HTTPExchangeError(.ended) }
            let last = try await connection.relay(
                self, keepsRest: keepsRest, to: sink, until: isDone)
            return (last, connection.server.pool)
        }
        // Who is on the pool already goes on there.
        if let last { try await pool.run { try last.forEachRun(sink) } }
    }

    /// Ends the connection that the body comes by; nothing when its exchange is over.
    func interrupt() async {
        // Nothing is thrown but by the closure.
        try? await loop.confine { [self] in connection?.interrupt() }
    }

    /// Sends a head before that of the answer.
    func sendInterim(_ status: HTTPResponse.Status, _ fields: HTTPFields) async throws {
        try await loop.confine { [self] in
            guard let connection else { throw HTTPExchangeError(.ended) }
            try await connection.sendInterim(status, fields)
        }
    }

    /// Receives into the block, past the stream's empty input.
    fileprivate func receive(into block: TransferBlock, from stream: ByteStream) throws
        -> ReceiveStep
    {
        switch state {
        case .finished: return .bytes(0)
        case .failed(let error): throw error
        case .length(let remaining):
            let step = stream.receive(into: block, countMax: Int(clamping: remaining))
            let count = Int64(block.takeReceived())
            byteCount += count
            let left = remaining - count
            state = left == 0 ? .finished : .length(remaining: left)
            return step
        case .chunked(var decoder):
            let step = stream.receive(into: block, countMax: TransferBlock.size)
            let before = block.count
            let rest = try block.decode { span throws(HTTPParseError) in
                let step = try decoder.decode(span)
                return (step.consumed, step.data)
            }
            stream.putBack(rest)
            advance(decoder)
            byteCount += Int64(block.count - before)
            guard byteCount <= byteCountMax else {
                throw HTTPBodyTooLarge(byteCountMax: byteCountMax)
            }
            return step
        }
    }
}

extension HTTPServerConnection {
    fileprivate func sendInterim(_ status: HTTPResponse.Status, _ fields: HTTPFields) async throws {
        stream.write { output in
            HeadSerializer.appendStatusLine(status, to: &output)
            HeadSerializer.appendFields(fields, to: &output)
            HeadSerializer.appendEnd(to: &output)
        }
        guard await flush() else { throw HTTPExchangeError(.disconnected) }
    }

    /// Takes all but the last block to the pool, and returns that.
    fileprivate func relay(
        _ body: RequestBody, keepsRest: Bool, to sink: @escaping BlockRelay.Sink,
        until isDone: () -> Bool
    ) async throws -> TransferBlock? {
        let relay = BlockRelay(loop: state.loop, pool: server.pool, sink: sink)
        do {
            // A recording sees what passes through the stream's input only.
            if body.coding == nil, !stream.isTapped {
                try await fill(relay, from: body, until: isDone)
            } else {
                while !isDone(), let piece = try await body.next() {
                    try await pass(piece, to: relay)
                }
            }
            return try await relay.last()
        } catch {
            if keepsRest {
                // What the sink may throw now is less than why the body broke off.
                try? await relay.finish()
            }
            await relay.stop()
            throw error
        }
    }

    private func fill(
        _ relay: BlockRelay, from body: RequestBody, until isDone: () -> Bool
    ) async throws {
        try body.check()
        guard !body.isBeingRead else { throw HTTPExchangeError(.alreadyInUse) }
        body.isBeingRead = true
        defer { body.isBeingRead = false }
        while !body.isFinished, !isDone() {
            if stream.inputCount > 0 {
                try await passInput(of: body, to: relay)
                continue
            }
            let step: ReceiveStep
            do {
                try await sendContinue(body)
                step = try body.receive(into: relay.block, from: stream)
                try await settle(step, body)
            } catch let error as HTTPExchangeError where error.kind == .ended {
                throw error
            } catch let error as CancellationError {
                throw error
            } catch {
                body.fail(error)
                throw error
            }
            if relay.block.isFull, !body.isFinished { try await relay.pass() }
        }
    }

    /// What was received before the body was asked for.
    private func passInput(of body: RequestBody, to relay: BlockRelay) async throws {
        let piece: [UInt8]
        do {
            piece = try body.take(from: stream)
        } catch {
            body.fail(error)
            throw error
        }
        try await pass(piece, to: relay)
    }

    private func pass(_ piece: [UInt8], to relay: BlockRelay) async throws {
        var rest = piece[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(relay.block.append(rest))
            if relay.block.isFull { try await relay.pass() }
        }
    }

    private func settle(_ step: ReceiveStep, _ body: RequestBody) async throws {
        switch step {
        case .bytes: await socket.yieldIfDue()
        case .ended: throw HTTPError(.badRequest, reason: "the body ended early")
        case .failed: throw HTTPExchangeError(.disconnected)
        case .wouldBlock: try await wait(for: body)
        }
    }
}
