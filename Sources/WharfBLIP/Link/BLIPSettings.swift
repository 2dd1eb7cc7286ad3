import WharfBLIPEngine

/// What a connection is told when it is made.
struct BLIPSettings: Sendable {
    var limits = BLIPLimits()
    var compressionLevel = 6
    var requestMax = 100
    var marksTornReplies = false
    /// In nanoseconds.
    var drainTimeout: UInt64 = 5_000_000_000
    var dispatcher = BLIPDispatcher()
    var mayClose: (@Sendable (BLIPConnection) async -> Bool)?
    var listener: (@Sendable (BLIPConnectionEvent) -> Void)?

    var hasListener: Bool { listener != nil }

    func tell(_ event: BLIPConnectionEvent) { listener?(event) }
}
