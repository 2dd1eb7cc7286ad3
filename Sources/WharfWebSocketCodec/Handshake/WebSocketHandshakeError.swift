/// Why a connection did not become a WebSocket.
public struct WebSocketHandshakeError: Error, Sendable, Hashable {
    /// What was wrong.
    public enum Kind: Sendable, Hashable {
        /// The server answered with another status than 101.
        case refused(status: Int)
        /// The answer does not say that the protocol changes, or proves nothing.
        case notWebSocket
        /// The answer has a subprotocol that was not asked for, or none though one is needed.
        case wrongSubprotocol
        /// The answer has an extension, or parameters of one, that was not offered.
        case extensionNotOffered
        /// The answer's head is malformed or too long.
        case malformedAnswer
    }

    /// What was wrong.
    public let kind: Kind

    package init(_ kind: Kind) {
        self.kind = kind
    }

    static let notWebSocket = Self(.notWebSocket)
    static let wrongSubprotocol = Self(.wrongSubprotocol)
    static let extensionNotOffered = Self(.extensionNotOffered)
}
