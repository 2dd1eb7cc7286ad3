import WharfHTTP

/// Writes frames (RFC 6455 §5).
package struct WebSocketEncoder: ~Copyable {
    private var keys: MaskKeys?
    private var deflater: MessageDeflater?
    private let messageMin: Int
    /// The message that is being sent in parts.
    private var isInMessage = false
    private var isCompressing = false

    /// An encoder of what `role` sends; `randomBytes` gives a client's keys.
    package init(
        _ role: WebSocketRole, deflate: DeflateAgreement?,
        compression: WebSocketCompression = WebSocketCompression(),
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        keys = role == .client ? MaskKeys(randomBytes: randomBytes) : nil
        messageMin = compression.messageMin
        if let direction = deflate?.direction(from: role), direction.canCompress {
            deflater = MessageDeflater(direction, level: compression.level)
        } else {
            deflater = nil
        }
    }

    /// Appends a whole message as one frame.
    package mutating func appendMessage(
        _ kind: WebSocketKind, _ payload: borrowing Span<UInt8>, to output: inout [UInt8]
    ) throws(WebSocketError) {
        precondition(!isInMessage, "a message inside of another")
        if payload.count >= messageMin, deflater != nil {
            try appendCompressed(kind.opcode, payload, isFirst: true, isLast: true, to: &output)
        } else {
            append(kind.opcode, payload, to: &output)
        }
    }

    /// Appends a part of a message as a frame; the first one has the kind of the message.
    package mutating func appendPart(
        _ kind: WebSocketKind, _ payload: borrowing Span<UInt8>, isLast: Bool,
        to output: inout [UInt8]
    ) throws(WebSocketError) {
        let isFirst = !isInMessage
        if isFirst { isCompressing = deflater != nil }
        isInMessage = !isLast
        let opcode = isFirst ? kind.opcode : .continuation
        if isCompressing {
            try appendCompressed(opcode, payload, isFirst: isFirst, isLast: isLast, to: &output)
        } else {
            append(opcode, payload, isFinal: isLast, to: &output)
        }
    }

    /// Appends a control frame; its payload has at most 125 bytes.
    package mutating func appendControl(
        _ opcode: WebSocketOpcode, _ payload: [UInt8], to output: inout [UInt8]
    ) {
        precondition(opcode.isControl && payload.count <= 125, "no control frame")
        append(opcode, payload.span, to: &output)
    }

    private mutating func appendCompressed(
        _ opcode: WebSocketOpcode, _ payload: borrowing Span<UInt8>, isFirst: Bool, isLast: Bool,
        to output: inout [UInt8]
    ) throws(WebSocketError) {
        var compressed: [UInt8] = []
        do {
            try deflater?.deflate(payload, isLast: isLast, to: &compressed)
        } catch {
            throw WebSocketError(.internalError, error.reason)
        }
        append(
            opcode, compressed.span, isFinal: isLast, isCompressed: isFirst, to: &output)
    }

    private mutating func append(
        _ opcode: WebSocketOpcode, _ payload: borrowing Span<UInt8>, isFinal: Bool = true,
        isCompressed: Bool = false, to output: inout [UInt8]
    ) {
        let key = keys?.next()
        WebSocketFrameHead(
            opcode, payloadCount: payload.count, isFinal: isFinal, isCompressed: isCompressed,
            key: key
        ).append(to: &output)
        let start = output.count
        output.append(allOf: payload)
        guard let key else { return }
        var mask = FrameMask(key: key)
        mask.apply(to: &output, from: start)
    }
}
