import WharfNet
import WharfWebSocketCodec

/// How what comes gets to who receives it.
extension WebSocketLink {
    private static let receiveMax = 64 * 1024

    /// Reads until nothing more comes.
    ///
    /// It stops for as long as enough waits to be taken, or to be sent.
    func read() async {
        while end == nil, !isOver {
            tellStop()
            let (hasArrived, needsBytes, fault) = decode()
            if hasArrived, end == nil {
                arrival.open()
                // Who was waiting answers in this turn, mostly, and all answers leave in one call.
                isBatching = true
                await loop.yield()
                isBatching = false
            }
            if let fault { refuse(fault) }
            sendNow()
            guard end == nil else { break }
            if stream.outputCount >= Self.outputMax {
                await drained.waitUncancelled()
            } else if needsBytes {
                await receiveMore()
            } else if inbound.isFull, !isDiscarding {
                await room.waitUncancelled()
                beat.note(loop.now)
            }
        }
        sendNow()
    }

    /// Decodes what was received, until enough waits to be taken: whether something does, and
    /// whether all was decoded, and what was wrong.
    private func decode() -> (hasArrived: Bool, needsBytes: Bool, fault: WebSocketError?) {
        var hasArrived = false
        var needsBytes = false
        do throws(WebSocketError) {
            while end == nil, isDiscarding || !inbound.isFull {
                let step = try stream.withInput { input throws(WebSocketError) in
                    try decoder.decode(input)
                }
                stream.consume(step.consumed)
                needsBytes = step.event == nil
                // What has come of a message goes before a control frame, too: a Close may follow
                // on a part, and whoever receives must learn that it is one.
                if let part = decoder.takePart() { hasArrived = take(part) || hasArrived }
                guard let event = step.event else { break }
                hasArrived = handle(event) || hasArrived
            }
        } catch {
            return (hasArrived, needsBytes, error)
        }
        return (hasArrived, needsBytes, nil)
    }

    /// Ends the connection for what was wrong, after what came before that had its turn.
    private func refuse(_ error: WebSocketError) {
        sendClose(WebSocketClose(error.code, reason: error.reason))
        end(.failed(WebSocketConnectionError(.broken(error))))
    }

    private func handle(_ event: WebSocketDecoder.Event) -> Bool {
        switch event {
        case .piece(let piece): return take(piece)
        case .pong: break
        case .ping(let payload): sendPong(payload)
        case .close(let close):
            owe(close)
        }
        return false
    }

    private func take(_ piece: WebSocketPiece) -> Bool {
        if isDiscarding { return false }
        inbound.append(piece)
        return true
    }

    private func receiveMore() async {
        switch stream.receive(countMax: Self.receiveMax) {
        case .bytes:
            beat.note(loop.now)
            await stream.socket.yieldIfDue()
            return
        case .ended, .failed: return lose(.lost)
        case .wouldBlock: break
        }
        stream.rest()
        switch await stream.socket.waitReadable(until: .max) {
        case .ready, .timedOut: break
        case .busy: lose(.alreadyInUse)
        case .interrupted:
            // A nudge else: the server is being stopped, or the closure has returned.
            if stream.socket.isInterrupted || stream.socket.isBroken { lose(.lost) }
        }
    }

    // MARK: Receiving

    /// The next piece, if one is there.
    func takePiece() -> WebSocketPiece? {
        guard let piece = inbound.popFirst() else { return nil }
        if !inbound.isFull { room.open() }
        return piece
    }

    /// The next piece; `nil`: the other end has closed.
    func receivePiece() async throws -> WebSocketPiece? {
        guard !isReceiving else { throw WebSocketConnectionError(.alreadyInUse) }
        isReceiving = true
        defer { isReceiving = false }
        while true {
            guard !isOver else { throw WebSocketConnectionError(.ended) }
            if let piece = takePiece() { return piece }
            switch end {
            case .closed:
                answerClose()
                return nil
            case .failed(let error): throw error
            case nil: try await arrival.wait()
            }
        }
    }
}
