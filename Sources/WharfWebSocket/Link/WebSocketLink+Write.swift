import WharfNet
import WharfWebSocketCodec

/// How what is sent gets to the socket.
extension WebSocketLink {
    /// Bytes that may wait to be sent; whoever sends more waits.
    static let outputMax = 64 * 1024

    // MARK: Messages

    /// Sends a message if nothing has to be waited for; false: nothing was done.
    func sendAtOnce(_ kind: WebSocketKind, _ payload: borrowing Span<UInt8>) throws -> Bool {
        guard hasRoom else { return false }
        try append(kind, payload)
        return true
    }

    /// Whether a message could be sent without waiting for anything.
    var hasRoom: Bool { !isInMessage && stream.outputCount < Self.outputMax }

    /// Waits until a message could be sent at once.
    func waitForRoom() async throws {
        while !hasRoom {
            try await waitForLane()
            try await waitForOutput()
            try checkOpen()
        }
    }

    /// Sends a message; returns when it is on its way.
    func send(_ kind: WebSocketKind, _ payload: [UInt8]) async throws {
        try await waitForLane()
        try append(kind, payload.span)
        try await waitForOutput()
    }

    /// Sends a part of a message that ``beginMessage()`` has begun.
    func sendPart(_ kind: WebSocketKind, _ payload: [UInt8], isLast: Bool) async throws {
        try checkOpen()
        try write { output throws(WebSocketError) in
            try encoder.appendPart(kind, payload.span, isLast: isLast, to: &output)
        }
        try await waitForOutput()
    }

    /// Keeps other messages out until ``endMessage()``: parts of messages don't mix.
    func beginMessage() async throws {
        try await waitForLane()
        isInMessage = true
    }

    func endMessage() {
        isInMessage = false
        lane.open()
    }

    private func append(_ kind: WebSocketKind, _ payload: borrowing Span<UInt8>) throws {
        try checkOpen()
        let payload = copy payload
        try write { output throws(WebSocketError) in
            try encoder.appendMessage(kind, payload, to: &output)
        }
    }

    private func write(
        _ append: (inout [UInt8]) throws(WebSocketError) -> Void
    ) throws(WebSocketError) {
        var failure: WebSocketError?
        stream.write { output in
            do throws(WebSocketError) { try append(&output) } catch { failure = error }
        }
        if let failure { throw failure }
        if !isBatching || stream.outputCount >= Self.outputMax { sendNow() }
    }

    private func waitForLane() async throws {
        try checkOpen()
        while isInMessage {
            try await lane.wait()
            try checkOpen()
        }
    }

    private func waitForOutput() async throws {
        while stream.outputCount >= Self.outputMax, !isOver, !isLost {
            try await drained.wait()
            if case .failed(let error) = end { throw error }
        }
    }

    private func checkOpen() throws(WebSocketConnectionError) {
        guard !isOver else { throw WebSocketConnectionError(.ended) }
        if case .failed(let error) = end { throw error }
        guard !isLost else { throw WebSocketConnectionError(.lost) }
        guard !hasSentClose else { throw WebSocketConnectionError(.closed) }
    }

    // MARK: Control frames

    func sendPong(_ payload: [UInt8]) { sendControl(.pong, payload) }

    func sendPing() {
        sendControl(.ping, [])
        sendNow()
    }

    /// Sends a Close, the first time; nothing can be sent after it.
    ///
    /// RFC 6455 §5.5.1: when the other end has closed, its code is sent back.
    func sendClose(_ close: WebSocketClose) {
        guard !hasSentClose else { return }
        sendControl(.close, (closeReceived ?? close).payload)
        hasSentClose = true
        sendNow()
    }

    private func sendControl(_ opcode: WebSocketOpcode, _ payload: [UInt8]) {
        guard !hasSentClose else { return }
        stream.write { encoder.appendControl(opcode, payload, to: &$0) }
    }

    // MARK: The socket

    /// Sends what waits, as far as the socket takes it; the writer sees to the rest.
    func sendNow() {
        guard !isWriting, stream.outputCount > 0 else { return }
        if stream.flushAtOnce() { drained.open() } else { wake.open() }
    }

    /// Sends what the socket did not take at once.
    func write() async {
        while !isOver {
            guard stream.outputCount > 0 else {
                await wake.waitUncancelled()
                continue
            }
            isWriting = true
            do {
                try await stream.flush()
                isWriting = false
            } catch {
                isWriting = false
                return lose(.lost)
            }
            drained.open()
        }
    }
}
