public import WharfWebSocketCodec

/// Why nothing more comes, or nothing can be sent.
public struct WebSocketConnectionError: Error, Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// One of the ends has closed; what is sent now would not arrive.
        case closed
        /// The connection ended without a Close: a message may be missing.
        case lost
        /// The other end answered no ping, or no Close, in time.
        case timedOut
        /// The other end broke the protocol or a limit.
        case broken(WebSocketError)
        /// Another task is receiving from it.
        case alreadyInUse
        /// The closure that it was lent to has returned.
        case ended
    }

    /// What happened.
    public let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }
}
