/// What a connection has done so far.
public struct BLIPStatistics: Sendable, Hashable {
    /// Bytes of frames that were sent, with their heads.
    public internal(set) var sentByteCount = 0
    /// Bytes of frames that came.
    public internal(set) var receivedByteCount = 0
    /// Frames that were sent.
    public internal(set) var sentFrameCount = 0
    /// Frames that came.
    public internal(set) var receivedFrameCount = 0
    /// Requests that were queued to be sent.
    public internal(set) var sentRequestCount = 0
    /// Requests that began to come.
    public internal(set) var receivedRequestCount = 0
    /// Replies that were queued to be sent.
    public internal(set) var sentReplyCount = 0
    /// Replies that came whole.
    public internal(set) var receivedReplyCount = 0
    /// Bytes that are held now, for what comes and for what was not sent.
    public internal(set) var heldCount = 0
}
