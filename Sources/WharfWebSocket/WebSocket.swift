package import WharfNet
public import WharfWebSocketCodec

/// A WebSocket, at either end of it.
///
///     while let message = try await socket.receive() {
///         try await socket.send(message)
///     }
///
/// It is valid until the closure returns that it was lent to, and then closed. Pings are answered,
/// and the other end's life is watched, whether or not something is being received. One task may
/// receive at a time, and any number may send. Nothing more is read from the other end while
/// 64 KiB wait to be received, and sending waits while 64 KiB wait to be sent.
public final class WebSocket: Sendable {
    let link: WebSocketLink
    /// What both ends have agreed to speak.
    public let subprotocol: String?

    /// The loop that it lives on.
    package var loop: EventLoop { link.loop }

    init(_ link: WebSocketLink, subprotocol: String?) {
        self.link = link
        self.subprotocol = subprotocol
    }

    // MARK: Receiving

    /// The next message, whole; `nil` when the other end has closed.
    ///
    /// Throws ``WebSocketConnectionError`` when the connection ended in another way, and
    /// `CancellationError`, which loses nothing, unless a message had come in part.
    public func receive() async throws -> WebSocketMessage? {
        guard var piece = try await receivePiece() else { return nil }
        guard !piece.isLast else { return WebSocketMessage(piece.kind, piece.bytes) }
        var bytes = piece.bytes
        while !piece.isLast {
            guard let next = try await receivePiece() else {
                throw WebSocketConnectionError(.lost)
            }
            bytes += next.bytes
            piece = next
        }
        return WebSocketMessage(piece.kind, bytes)
    }

    /// The next piece of a message, as soon as it is there; `nil` when the other end has closed.
    ///
    /// For messages that are too long to be held in memory. Throws as ``receive()`` does.
    public func receivePiece() async throws -> WebSocketPiece? {
        if link.loop.isCurrent, !link.isReceiving, let piece = link.takePiece() { return piece }
        return try await link.loop.confine { [link] in try await link.receivePiece() }
    }

    // MARK: Sending

    /// Sends a text.
    ///
    /// Throws ``WebSocketConnectionError`` when the connection has ended or is being closed.
    public func send(_ text: String) async throws {
        try await send(.text, Array(text.utf8))
    }

    /// Sends bytes.
    ///
    /// Throws as ``send(_:)-(String)`` does.
    public func send(_ bytes: [UInt8]) async throws {
        try await send(.binary, bytes)
    }

    /// Sends a message as it was received.
    public func send(_ message: WebSocketMessage) async throws {
        switch message {
        case .text(let text): try await send(text)
        case .binary(let bytes): try await send(bytes)
        }
    }

    private func send(_ kind: WebSocketKind, _ payload: [UInt8]) async throws {
        if link.loop.isCurrent, try link.sendAtOnce(kind, payload.span) { return }
        try await link.loop.confine { [link] in try await link.send(kind, payload) }
    }

    /// Sends a message in parts, which a closure writes; other messages wait until it returns.
    ///
    /// When the closure throws, the connection is closed: the other end must not take a part for
    /// the whole.
    public func sendStream<Value: Sendable>(
        _ kind: WebSocketKind, _ write: (WebSocketWriter) async throws -> Value
    ) async throws -> Value {
        try await link.loop.confine { [link] in try await link.beginMessage() }
        do {
            let value = try await write(WebSocketWriter(link: link, kind: kind))
            try await link.loop.confine { [link] in
                defer { link.endMessage() }
                try await link.sendPart(kind, [], isLast: true)
            }
            return value
        } catch {
            // It throws nothing itself.
            try? await link.loop.confine { [link] in
                link.sendClose(WebSocketClose(.internalError))
                link.endMessage()
            }
            throw error
        }
    }

    // MARK: Closing

    /// Closes, and waits until the other end has closed, too, or has taken too long.
    ///
    /// What it sends meanwhile is dropped. A code that can't be sent is left out; the reason is cut
    /// after 123 bytes. Returning from the closure does the same with code 1000.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        // It throws nothing itself.
        try? await link.loop.confine { [link] in
            await link.close(WebSocketClose(code, reason: reason))
        }
    }

    /// What the other end said when it closed; `nil` while it has not.
    public var closeReceived: WebSocketClose? {
        get async {
            // It throws nothing itself.
            (try? await link.loop.confine { [link] in link.closeReceived }) ?? nil
        }
    }
}

/// Writes the parts of one message.
public struct WebSocketWriter: Sendable {
    let link: WebSocketLink
    let kind: WebSocketKind

    /// Sends a part; those of a text may be cut inside a character.
    public func write(_ bytes: [UInt8]) async throws {
        try await link.loop.confine { [link, kind] in
            try await link.sendPart(kind, bytes, isLast: false)
        }
    }
}

extension WebSocketMessage {
    init(_ kind: WebSocketKind, _ bytes: [UInt8]) {
        switch kind {
        case .binary: self = .binary(bytes)
        // It was checked when it came.
        case .text: self = .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}
