public import WharfHTTP

/// What a client gets.
public struct TestResponse: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The fields.
    public let fields: HTTPFields
    /// The body, without what frames it.
    public let body: [UInt8]
    /// Whether all of it came: false when the server has cut the connection.
    public let isComplete: Bool

    /// The body as a text in UTF-8; what is none is repaired.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
