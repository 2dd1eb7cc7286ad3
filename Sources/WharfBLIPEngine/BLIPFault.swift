/// The other end broke the protocol, and the connection has to end: what it counts and what this end
/// counts can't be brought together again.
public struct BLIPFault: Error, Sendable, Hashable {
    /// What was broken.
    public enum Kind: Sendable, Hashable {
        /// A frame whose head or checksum is not there whole.
        case malformedFrame
        /// A type of frame that BLIP 3 does not have; whether it counts for the checksum is unknown.
        case unknownType
        /// The running checksum differs: what was decoded is not what was sent.
        case wrongChecksum
        /// Bytes that are no deflate.
        case malformedCompression
        /// A request whose number is not the next one.
        case wrongNumber
        /// A reply to what was never asked.
        case replyToNothing
        /// More than ``BLIPLimits/frameMax`` or ``BLIPLimits/incomingMax`` allow.
        case tooMuch
        /// This end's compressor failed.
        case compressorFailed
    }

    /// What was broken.
    public let kind: Kind
    /// The number in the frame's head, if it was read.
    public let number: UInt64?

    package init(_ kind: Kind, number: UInt64? = nil) {
        self.kind = kind
        self.number = number
    }

    /// The code to close a WebSocket with.
    public var closeCode: UInt16 {
        switch kind {
        case .tooMuch: 1009
        case .compressorFailed: 1011
        default: 1002
        }
    }
}

extension BLIPFault: CustomStringConvertible {
    /// What was broken, and by which message; it goes with the Close.
    public var description: String {
        number.map { "\(kind) in message \($0)" } ?? "\(kind)"
    }
}
