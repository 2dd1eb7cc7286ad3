/// The dialects of BLIP, which don't understand each other.
public enum BLIPVersion: Sendable, Hashable {
    /// BLIP 1.1, of 2008: frames on a bare connection, no flow control, bodies in gzip.
    case v1
    /// BLIP 2.0.1, of BLIP-Cocoa: short properties, bodies in gzip.
    case v2
    /// BLIP 3, of Couchbase: a checksum over all frames, one stream of deflate for all of them.
    case v3

    /// The WebSocket subprotocol that stands for it, before a program's own name for its protocol;
    /// `nil`: it does not go over WebSockets.
    public var subprotocol: String? {
        switch self {
        case .v1: nil
        case .v2: "BLIP"
        case .v3: "BLIP_3"
        }
    }

    /// Whether the ends agree on closing by a request, ``BLIPClosing``.
    package var hasBye: Bool { self != .v3 }

    /// Whether receivers say how much they have taken.
    package var hasAcknowledgements: Bool { self != .v1 }
}
