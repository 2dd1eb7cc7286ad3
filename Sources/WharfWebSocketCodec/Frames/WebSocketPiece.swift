/// What a message is made of.
public enum WebSocketKind: Sendable, Hashable {
    /// UTF-8; the pieces of a text may be cut inside a character.
    case text
    case binary

    var opcode: WebSocketOpcode { self == .text ? .text : .binary }
}

/// A part of a message as it arrived, or all of it.
public struct WebSocketPiece: Sendable, Hashable {
    /// The kind of the message.
    public let kind: WebSocketKind
    /// The bytes; of a text they have been checked.
    public let bytes: [UInt8]
    /// Whether the message ends with it.
    public let isLast: Bool

    /// Makes a piece.
    public init(_ kind: WebSocketKind, _ bytes: [UInt8], isLast: Bool) {
        self.kind = kind
        self.bytes = bytes
        self.isLast = isLast
    }
}
