/// How the end of a body is found (RFC 9112 §6.3).
package enum BodyFraming: Sendable, Hashable {
    /// There is no body.
    case none
    /// So many bytes.
    case length(Int64)
    /// The chunked coding.
    case chunked
    /// Until the connection closes; only in responses.
    case untilClose
}
