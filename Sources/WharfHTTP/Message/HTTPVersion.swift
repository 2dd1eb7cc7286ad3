/// The versions of HTTP that this package speaks (RFC 9110 §2.5).
package enum HTTPVersion: Sendable, Hashable {
    case http10
    /// Also any later 1.x, which RFC 9110 §2.5 lets a recipient treat as the one it knows.
    case http11
}
