public import WharfWebSocketCodec

/// How one end of a WebSocket behaves, and what it takes from the other.
public struct WebSocketOptions: Sendable {
    /// The subprotocols that this end speaks, the one it likes best first.
    ///
    /// A server refuses a client that asks for some and for none of these. A client fails when the
    /// server chooses none of them.
    public var subprotocols: [String] = []
    /// Whether a server refuses clients that ask for no subprotocol, if it has some.
    public var requiresSubprotocol = false
    /// How messages are compressed, if the other end can do that too; `nil`: not at all.
    public var compression: WebSocketCompression? = WebSocketCompression()
    /// Bounds of what comes.
    public var limits = WebSocketLimits()
    /// The other end is pinged when nothing has come from it for so long; `nil`: never.
    public var heartbeatInterval: Duration? = .seconds(30)
    /// How long it may then stay silent before the connection is given up.
    public var heartbeatTimeout = Duration.seconds(20)
    /// How long the other end may take to answer a Close.
    public var closeTimeout = Duration.seconds(5)

    /// The usual ones.
    public init() {}
}
