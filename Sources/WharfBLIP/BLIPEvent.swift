public import WharfBLIPEngine

/// What happens to a connection.
public enum BLIPConnectionEvent: Sendable {
    /// The two ends have agreed on a version.
    case opened(BLIPVersion)
    /// Whether something is under way, either way, has changed.
    case activity(Bool)
    /// A frame that means nothing came, and was passed over.
    case ignored(number: UInt64)
    /// It has ended: why, or `nil` when both ends wanted that.
    case closed((any Error)?)
}
