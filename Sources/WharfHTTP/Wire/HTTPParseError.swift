/// Why bytes were refused.
///
/// The connection must close after the response: where the next message would begin is not known
/// (RFC 9112 §2.2).
package struct HTTPParseError: Error, Sendable, Hashable {
    /// The status to answer with.
    package let status: HTTPResponse.Status

    /// What was wrong; fixed text for the log, never bytes of the peer.
    package let reason: String

    /// Makes an error; the reason is fixed text.
    package init(_ status: HTTPResponse.Status, _ reason: StaticString) {
        self.status = status
        self.reason = reason.description
    }

    static func bad(_ reason: StaticString) -> Self {
        Self(.badRequest, reason)
    }
}
