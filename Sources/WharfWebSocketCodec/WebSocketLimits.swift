/// How much one end takes from the other.
public struct WebSocketLimits: Sendable, Hashable {
    /// Bytes of a frame's payload; a longer one closes the connection with 1009.
    public var frameMax: Int
    /// Bytes of a message after decompression; a longer one closes the connection with 1009.
    public var messageMax: Int

    /// Limits in bytes: 16 MiB a frame and a message unless said otherwise.
    public init(frameMax: Int = 16 << 20, messageMax: Int = 16 << 20) {
        self.frameMax = frameMax
        self.messageMax = messageMax
    }
}
