public import WharfHTTP

/// What a handler answers.
public struct Response: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// Fields.
    ///
    /// The server adds Date and the ones that frame the body; it ignores framing fields here.
    public var fields: HTTPFields
    /// The media type, unless ``fields`` has a Content-Type.
    public var contentType: String? {
        get { media?.value }
        set { media = newValue.map(ContentTypeField.init) }
    }
    /// The body.
    public var body: ResponseBody
    /// Whether it may be compressed.
    public var compression = Compression.automatic

    var media: ContentTypeField?
    /// Lines of Set-Cookie that are to get `Secure` if the request has come over TLS.
    var undecidedCookies: [String]?
}

extension Response {
    // In an extension, so that there is the memberwise one too, which copies nothing.

    /// Makes a response.
    public init(
        status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], contentType: String? = nil,
        body: ResponseBody = .empty
    ) {
        self.init(
            status: status, fields: fields, body: body,
            media: contentType.map(ContentTypeField.init))
    }

    /// Plain text in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, fields: HTTPFields(), body: .string(text), media: .text)
    }

    /// A page in UTF-8.
    public static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, fields: HTTPFields(), body: .string(text), media: .html)
    }

    /// Bytes of a media type.
    public static func bytes(
        _ bytes: [UInt8], contentType: String = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, contentType: contentType, body: .bytes(bytes))
    }

    /// Nothing but a status.
    public static func status(_ status: HTTPResponse.Status) -> Response {
        Response(status: status)
    }

    /// Ends HTTP on the connection (101) and gives it to the closure.
    ///
    /// `protocol` goes into the Upgrade field. The request has to have asked for it, which the
    /// handler checks. The stream ends with the closure; what the client sent ahead comes first.
    public static func upgrade(
        to protocol: String, fields: HTTPFields = [:],
        _ use: @escaping @Sendable (UpgradedStream) async throws -> Void
    ) -> Response {
        var fields = fields
        fields[.upgrade] = `protocol`
        return Response(
            status: .switchingProtocols, fields: fields, body: ResponseBody(.upgrade(use)),
            media: nil)
    }
}
