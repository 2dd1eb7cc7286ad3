import WharfHTTP

/// Reads frames and makes pieces of messages of them (RFC 6455 §5).
///
/// It takes bytes however they are cut, checks everything that the RFC says of a frame and of the
/// order of frames, and decompresses. An error is final.
package struct WebSocketDecoder: ~Copyable {
    package enum Event: Sendable, Hashable {
        case piece(WebSocketPiece)
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketClose)
    }

    /// What one call did: with no event it wants more bytes, and those that were not consumed again.
    package struct Step: Sendable, Hashable {
        package let consumed: Int
        package let event: Event?
    }

    /// Pieces are about that long at most, so that a message need not be in memory whole.
    private static let pieceMax = 64 * 1024

    private let role: WebSocketRole
    private let limits: WebSocketLimits
    private let compression: DeflateAgreement.Direction?
    private var inflater: MessageInflater

    /// The frame whose payload is being read.
    private var head: WebSocketFrameHead?
    private var payloadLeft = 0
    private var mask: FrameMask?
    private var control: [UInt8] = []

    /// The message whose frames are being read.
    private var kind: WebSocketKind?
    private var isCompressed = false
    private var messageCount = 0
    /// The last frame has been read, and what is left of it is to be decompressed.
    private var isEnding = false
    private var piece: [UInt8] = []
    private var text = UTF8Validator()

    /// A decoder of what comes to `role`.
    package init(_ role: WebSocketRole, limits: WebSocketLimits, deflate: DeflateAgreement?) {
        self.role = role
        self.limits = limits
        compression = deflate?.direction(from: role.peer)
        inflater = MessageInflater(compression ?? DeflateAgreement.Direction())
    }

    /// Takes bytes from the front of `input` until there is something to tell.
    package mutating func decode(_ input: borrowing Span<UInt8>) throws(WebSocketError) -> Step {
        var consumed = 0
        while true {
            if inflater.hasPending || isEnding {
                try inflate()
                if isEnding, !inflater.hasPending {
                    return Step(consumed: consumed, event: .piece(try endMessage()))
                }
                if piece.count >= Self.pieceMax { return tell(consumed) }
                if inflater.hasPending { continue }
            }
            guard let head else {
                let rest = input.extracting(consumed..<input.count)
                guard let (next, byteCount) = try WebSocketFrameHead.read(rest) else {
                    return Step(consumed: consumed, event: nil)
                }
                try begin(next)
                consumed += byteCount
                continue
            }
            let count = min(payloadLeft, input.count - consumed, Self.pieceMax)
            if count > 0 {
                try take(input.extracting(consumed..<consumed + count), head)
                consumed += count
                payloadLeft -= count
                if payloadLeft > 0, piece.count >= Self.pieceMax { return tell(consumed) }
            }
            guard payloadLeft == 0 else {
                if inflater.hasPending { continue }
                return Step(consumed: consumed, event: nil)
            }
            self.head = nil
            if let event = try end(head) { return Step(consumed: consumed, event: event) }
        }
    }

    /// What has arrived of a message that goes on; `nil` when that is nothing.
    package mutating func takePart() -> WebSocketPiece? {
        guard let kind, !piece.isEmpty else { return nil }
        let part = WebSocketPiece(kind, piece, isLast: false)
        piece = []
        return part
    }

    private mutating func tell(_ consumed: Int) -> Step {
        Step(consumed: consumed, event: takePart().map { .piece($0) })
    }

    // MARK: Frames

    private mutating func begin(_ head: WebSocketFrameHead) throws(WebSocketError) {
        // RFC 6455 §5.1: clients mask, servers don't.
        guard (head.key != nil) == (role == .server) else {
            throw .broken(role == .server ? "a frame without a mask" : "a masked frame")
        }
        if head.opcode.isControl {
            guard !head.isCompressed else { throw .broken("a compressed control frame") }
        } else {
            try beginData(head)
        }
        self.head = head
        payloadLeft = head.payloadCount
        mask = head.key.map(FrameMask.init)
    }

    private mutating func beginData(_ head: WebSocketFrameHead) throws(WebSocketError) {
        if head.opcode == .continuation {
            guard kind != nil else { throw .broken("a continuation of nothing") }
            // RFC 7692 §6.1: the bit stands on the first frame only.
            guard !head.isCompressed else { throw .broken("RSV1 on a continuation") }
        } else {
            guard kind == nil else { throw .broken("a message inside of another") }
            guard !head.isCompressed || compression != nil else {
                throw .broken("compression was not agreed on")
            }
            kind = head.opcode == .text ? .text : .binary
            isCompressed = head.isCompressed
        }
        guard head.payloadCount <= limits.frameMax else {
            throw .tooBig("a frame is longer than \(limits.frameMax) bytes")
        }
        if !isCompressed { try count(head.payloadCount) }
    }

    private mutating func count(_ byteCount: Int) throws(WebSocketError) {
        let (count, overflow) = messageCount.addingReportingOverflow(byteCount)
        guard !overflow, count <= limits.messageMax else {
            throw .tooBig("a message is longer than \(limits.messageMax) bytes")
        }
        messageCount = count
    }

    private mutating func take(
        _ bytes: borrowing Span<UInt8>, _ head: WebSocketFrameHead
    ) throws(WebSocketError) {
        if head.opcode.isControl {
            let before = control.count
            control.append(allOf: bytes)
            mask?.apply(to: &control, from: before)
        } else if isCompressed {
            var mask = mask
            inflater.add { pending in
                let before = pending.count
                pending.append(allOf: bytes)
                mask?.apply(to: &pending, from: before)
            }
            self.mask = mask
        } else {
            let before = piece.count
            piece.append(allOf: bytes)
            mask?.apply(to: &piece, from: before)
            try check(from: before)
        }
    }

    private mutating func end(_ head: WebSocketFrameHead) throws(WebSocketError) -> Event? {
        guard head.opcode.isControl else {
            guard head.isFinal else { return nil }
            guard isCompressed else { return .piece(try endMessage()) }
            inflater.end()
            isEnding = true
            return nil
        }
        let payload = control
        control = []
        switch head.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        default: return .close(try WebSocketClose(payload: payload))
        }
    }

    // MARK: Messages

    private mutating func inflate() throws(WebSocketError) {
        let before = piece.count
        do {
            // One byte more than may be, so that reaching the limit is not yet passing it.
            let room = limits.messageMax - messageCount
            try inflater.inflate(
                outputMax: min(Self.pieceMax, room < .max ? room + 1 : room), to: &piece)
        } catch {
            throw WebSocketError(.invalidData, error.reason)
        }
        try count(piece.count - before)
        try check(from: before)
    }

    private mutating func check(from start: Int) throws(WebSocketError) {
        guard kind == .text else { return }
        var text = text
        guard text.accepts(piece.span.extracting(start..<piece.count)) else { throw .notUTF8 }
        self.text = text
    }

    private mutating func endMessage() throws(WebSocketError) -> WebSocketPiece {
        guard text.isComplete else { throw .notUTF8 }
        let last = WebSocketPiece(kind ?? .binary, piece, isLast: true)
        piece = []
        kind = nil
        isCompressed = false
        isEnding = false
        messageCount = 0
        return last
    }
}
