/// The other end broke the protocol or a limit, and the connection is closed for it.
public struct WebSocketError: Error, Sendable, Hashable {
    /// What the other end is told.
    public let code: WebSocketCloseCode
    /// What was wrong, for the log; it is sent as the reason, too.
    public let reason: String

    package init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    static func broken(_ reason: String) -> Self { Self(.protocolError, reason) }
    static func tooBig(_ reason: String) -> Self { Self(.messageTooBig, reason) }
    static let notUTF8 = Self(.invalidData, "a text is not UTF-8")
}
