/// How this end wants messages compressed (RFC 7692).
///
/// What it asks of the other end is a wish where the RFC leaves it one: a server can't ask for a
/// smaller window of a client that has not offered that.
public struct WebSocketCompression: Sendable, Hashable {
    /// From 1 (fast) to 9 (small).
    public var level = 6
    /// Messages shorter than that many bytes are sent as they are.
    public var messageMin = 64
    /// The window of what this end sends, 9 to 15: 2 to that many bytes; it costs four times that.
    public var windowBits = 15
    /// Whether what this end sends can refer to its earlier messages: smaller, but the memory stays.
    public var keepsContext = true
    /// The largest window of the other end, 9 to 15.
    public var peerWindowBits = 15
    /// Whether the other end may refer to its earlier messages.
    public var peerKeepsContext = true

    /// The usual: all as large as can be.
    public init() {}
}

/// What both ends have agreed on (RFC 7692 §7.1).
package struct DeflateAgreement: Sendable, Hashable {
    package struct Direction: Sendable, Hashable {
        package var windowBits = 15
        package var keepsContext = true

        /// zlib has no bare stream with a window of 256 bytes: such messages are sent as they are.
        var canCompress: Bool { windowBits > 8 }
    }

    /// What clients send.
    package var client = Direction()
    /// What servers send.
    package var server = Direction()

    package init() {}

    func direction(from role: WebSocketRole) -> Direction {
        role == .client ? client : server
    }
}
