/// How far an upload has come.
public struct UploadProgress: Sendable, Hashable {
    /// Bytes that have left, or that the server had already.
    public var sentCount: Int64
    /// Bytes in all, with what is around the files in a form.
    public var totalCount: Int64
    /// Bytes a second, smoothed over some seconds; 0 at the beginning, and when nothing moves.
    public var bytesPerSecond: Double
    /// How long it will take yet; `nil` when that can't be said.
    public var timeLeft: Duration?
    /// How it is at a moment.
    public init(
        sentCount: Int64, totalCount: Int64, bytesPerSecond: Double, timeLeft: Duration?
    ) {
        self.sentCount = sentCount
        self.totalCount = totalCount
        self.bytesPerSecond = bytesPerSecond
        self.timeLeft = timeLeft
    }

    /// Whether all has left, and the answer is awaited.
    public var isFinishing: Bool { sentCount >= totalCount }

    /// From 0 to 1; 1 for nothing.
    public var fraction: Double {
        totalCount > 0 ? min(1, Double(sentCount) / Double(totalCount)) : 1
    }
}
