/// What a frame carries (RFC 6455 §5.2).
package enum WebSocketOpcode: UInt8, Sendable, Hashable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it says something about the connection, and may stand between the frames of a
    /// message.
    var isControl: Bool { rawValue & 0x8 != 0 }
}

/// Which end of a connection this is: clients mask what they send, servers don't.
package enum WebSocketRole: Sendable, Hashable {
    case client, server

    /// The other end.
    package var peer: WebSocketRole { self == .client ? .server : .client }
}
