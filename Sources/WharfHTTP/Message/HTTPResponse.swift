/// The head of a response: its status and its fields.
///
/// The body travels beside it.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code and its reason phrase.
    public var status: Status

    /// The fields of the response.
    public var headerFields: HTTPFields

    /// A response head.
    public init(status: Status, headerFields: HTTPFields = [:]) {
        self.status = status
        self.headerFields = headerFields
    }
}
