/// Why a multipart body was refused.
///
/// The framing of the request is not in doubt, so the connection may live on.
package struct MultipartError: Error, Sendable, Hashable {
    /// The status to answer with: 400 for what is malformed, 413 past a limit, 415 for a body of
    /// another type.
    package let status: HTTPResponse.Status

    /// What was wrong; fixed text for the log, never bytes of the peer.
    package let reason: String

    init(_ status: HTTPResponse.Status, _ reason: StaticString) {
        self.status = status
        self.reason = reason.description
    }

    static func malformed(_ reason: StaticString) -> Self {
        Self(.badRequest, reason)
    }

    static func tooLarge(_ reason: StaticString) -> Self {
        Self(.contentTooLarge, reason)
    }

    init(_ error: HTTPParseError) {
        // The fields of a part are content of the request, and none of its fields (431).
        let isLimit = error.status == .requestHeaderFieldsTooLarge
        status = isLimit ? .contentTooLarge : error.status
        reason = error.reason
    }
}
