/// The head of a request: what is asked of what, and the fields.
///
/// The body travels beside it.
public struct HTTPRequest: Sendable, Hashable {
    /// The method.
    public var method: Method

    /// `http` or `https`, where it is known: a request line seldom states it.
    public var scheme: String?

    /// Host and port, of the target if it states them, else of the Host field.
    public var authority: String?

    /// The path with its query, as sent: percent-encoded.
    ///
    /// Nil for CONNECT.
    public var path: String?

    /// The fields.
    public var headerFields: HTTPFields

    /// A request head.
    public init(
        method: Method, scheme: String?, authority: String?, path: String?,
        headerFields: HTTPFields = [:]
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.headerFields = headerFields
    }
}
