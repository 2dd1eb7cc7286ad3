/// The dialects of BLIP, which don't understand each other.
public enum BLIPVersion: Sendable, Hashable {
    /// BLIP 2.0.1, of BLIP-Cocoa: short properties, bodies in gzip.
    case v2
    /// BLIP 3, of Couchbase: a checksum over all frames, one stream of deflate for all of them.
    case v3

    /// The WebSocket subprotocol that stands for it, before a program's own name for its protocol.
    public var subprotocol: String { self == .v2 ? "BLIP" : "BLIP_3" }
}
