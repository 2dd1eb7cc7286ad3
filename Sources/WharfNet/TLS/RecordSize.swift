/// How large the next record is.
///
/// A record is of use to the other side when all of it is there: the first ones fit one segment of
/// TCP each, so that a page begins to show; later ones are large, which costs less.
struct RecordSize {
    private static let small = 1_350
    private static let large = 16 * 1024
    /// Bytes in small records: about as many as TCP sends before it hears anything.
    private static let smallBytes = 12 * 1024
    /// After a pause TCP begins with few segments again; in nanoseconds.
    private static let pause: UInt64 = 1_000_000_000

    private var sentCount = 0
    private var lastTime: UInt64 = 0

    /// Bytes that the next record may have.
    mutating func next(at now: UInt64) -> Int {
        if now &- lastTime > Self.pause { sentCount = 0 }
        lastTime = now
        return sentCount < Self.smallBytes ? Self.small : Self.large
    }

    mutating func note(_ count: Int) {
        sentCount = min(sentCount + count, Self.smallBytes)
    }
}
