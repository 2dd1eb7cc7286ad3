/// The head of a response as it was read, with what it says about the body and the connection.
package struct HTTPResponseHead: Sendable, Hashable {
    /// Bytes of the head, to its last CRLF.
    package let byteCount: Int
    /// Status and fields.
    package var response: HTTPResponse
    /// The version; later 1.x counts as 1.1.
    package let version: HTTPVersion
    /// How the body ends.
    package let framing: BodyFraming
    /// Whether the connection can serve another exchange after this one.
    package let isKeepAlive: Bool
}

/// Reads the head of a response (RFC 9112 §4 and §5), for clients.
///
/// Takes its input as ``HTTPRequestParser`` does. An interim response (1xx) is a head like any
/// other, without a body: the caller makes a new parser for what follows it.
package struct HTTPResponseParser: Sendable {
    private let isHead: Bool
    private let isConnect: Bool
    private var line: StatusLineParser
    private var fields: FieldSectionParser
    private var isInFields = false

    /// A parser for one head, of the response to a request with `method`.
    package init(
        requestMethod method: HTTPRequest.Method, limits: HTTPHeadLimits = HTTPHeadLimits()
    ) {
        isHead = method == .head
        isConnect = method == .connect
        line = StatusLineParser(lineMax: limits.requestLineMax)
        fields = FieldSectionParser(limits: limits)
    }

    /// Reads on: the head once it is complete, nil if more bytes are needed.
    ///
    /// The statuses of errors are those that a gateway would answer with.
    package mutating func parse(
        _ input: borrowing Span<UInt8>
    ) throws(HTTPParseError) -> HTTPResponseHead? {
        if !isInFields {
            guard try line.parse(input) else { return nil }
            fields.begin(at: line.position)
            isInFields = true
        }
        guard try fields.parse(input) else { return nil }
        let bytes = [UInt8](copying: input, 0..<fields.position)
        let framingFields = try FramingFields(input, fields.entries, isResponse: true)
        let framing = try framing(framingFields)
        let isPersistent = line.version == .http11 || framingFields.hasKeepAlive
        let phrase = String(fieldBytes: bytes[line.phraseRange])
        let status = HTTPResponse.Status(code: line.code, reasonPhrase: phrase)
        return HTTPResponseHead(
            byteCount: fields.position,
            response: HTTPResponse(
                status: status,
                headerFields: HTTPFields(arena: bytes, entries: fields.entries)),
            version: line.version, framing: framing,
            isKeepAlive: isPersistent && !framingFields.hasClose && framing != .untilClose)
    }

    // RFC 9112 §6.3, in its order.
    private func framing(_ fields: FramingFields) throws(HTTPParseError) -> BodyFraming {
        let code = line.code
        if isHead || code < 200 || code == 204 || code == 304 { return .none }
        if isConnect, code < 300 { return .none }
        if fields.hasTransferEncoding {
            guard fields.contentLength == nil, line.version == .http11 else {
                throw HTTPParseError(.badGateway, "conflicting framing of a response")
            }
            return .chunked
        }
        return fields.contentLength.map { .length($0) } ?? .untilClose
    }
}
