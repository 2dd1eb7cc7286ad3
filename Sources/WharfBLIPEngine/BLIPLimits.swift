/// How much one end takes, and how it cuts what it sends.
public struct BLIPLimits: Sendable, Hashable {
    /// Bytes of a frame that is sent, with its head: some routers in between stall larger ones.
    public var frameSize = 16 * 1024
    /// Bytes of a frame that is sent while something urgent waits behind it.
    public var crowdedFrameSize = 4096
    /// Bytes of a frame that is taken, as it comes and decompressed; past it the connection ends.
    public var frameMax = 1 << 20
    /// Bytes of a message's properties; past it the message fails.
    public var propertiesMax = 100 * 1024
    /// Bytes of a body that is taken whole, decompressed; past it the message fails.
    public var bodyMax = 64 << 20
    /// The same for a body that is taken piece by piece.
    public var streamedBodyMax = Int.max
    /// Messages that may be coming in at a time; past it the connection ends.
    public var incomingMax = 10_000
    /// Bytes that one connection holds, of messages that come and were not used and of those that
    /// were not sent; past it what comes fails, message by message, and what is to be sent waits.
    public var heldMax = 256 << 20
    /// Bytes that the other end may have sent and we not acknowledged, before we do.
    public var acknowledgeEvery = 50_000
    /// Bytes of a message that may be under way without having been acknowledged.
    public var windowSize = 128_000

    /// The usual ones.
    public init() {}
}
