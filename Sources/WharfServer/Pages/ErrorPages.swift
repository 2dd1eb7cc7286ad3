public import WharfHTTP

/// What clients see of errors: never more than the status, whatever the error says.
///
/// Browsers get a page, programs that take JSON a problem document (RFC 9457), all others a line of
/// text. Pages of your own go before these, for clients that take their type, and a closure of your
/// own before all:
///
///     configuration.errorPages[.notFound] = .html("<!doctype html><title>Gone fishing</title>")
///     configuration.errorPages.answer = { status, request in
///         request?.path.hasPrefix("/api/") ?? false ? .text("{}", status: status) : nil
///     }
public struct ErrorPages: Sendable {
    private var pages: [HTTPResponse.Status: Response] = [:]

    /// The answer for an error, as it is; `nil`, or `nil` from it: one of the pages.
    ///
    /// It gets the status and the request, `nil` for bytes that are none. Fields that the error
    /// brings are added. It runs on an event loop and must not block, and what it answers with is to
    /// be in memory.
    public var answer: (@Sendable (HTTPResponse.Status, Request?) -> Response?)?

    /// The pages that come with the server.
    public init() {}

    /// A page of your own for a status; nil: the one that comes with the server.
    ///
    /// Its body has to be in memory or a stream. Its status and `nosniff` are seen to.
    public subscript(status: HTTPResponse.Status) -> Response? {
        get { pages[status] }
        set { pages[status] = newValue }
    }

    /// The answer for a status; `nil` stands for bytes that are no request.
    func response(_ status: HTTPResponse.Status, for request: Request?) -> Response {
        if let response = answer?(status, request) { return response }
        return request.map { page(status, accept: $0.fields[.accept]) } ?? Self.text(status)
    }

    func page(_ status: HTTPResponse.Status, accept: String?) -> Response {
        var choices = Self.types(for: accept)
        let own = pages[status]
        let ownType = own.flatMap { $0.fields[.contentType] ?? $0.contentType }
            .flatMap { MediaType($0)?.essence }
        if let ownType { choices.insert(ownType, at: 0) }
        let type = AcceptedTypes(parsing: accept).preferred(of: choices)
        var response: Response
        switch type {
        case let type? where type == ownType: response = own ?? Self.text(status)
        case "text/html"?: response = ErrorPage.response(status)
        case "application/json"?, "application/problem+json"?: response = Self.problem(status)
        default: response = Self.text(status)
        }
        response.status = status
        response.fields[.xContentTypeOptions] = "nosniff"
        // Caches may keep a 404, and what it is depends on who asks.
        response.fields.addVary(.accept)
        return response
    }

    /// What there is, the first for those to whom it is all the same.
    ///
    /// Whoever names JSON is a program, whatever else it takes. Text is for the others, such as curl:
    /// people read it in a terminal.
    private static func types(for accept: String?) -> [String] {
        let json = ["application/problem+json", "application/json"]
        let pages = ["text/plain", "text/html"]
        return accept?.contains("json") ?? false ? json + pages : pages + json
    }

    /// A line of text.
    private static func text(_ status: HTTPResponse.Status) -> Response {
        var response = Response.text("\(status.code) \(status.reasonPhrase)\n", status: status)
        response.fields[.xContentTypeOptions] = "nosniff"
        return response
    }

    // RFC 9457 §4.2.1: without a type the title says what the status does.
    private static func problem(_ status: HTTPResponse.Status) -> Response {
        let title = status.reasonPhrase.escapedForJSON
        return .bytes(
            Array("{\"title\":\"\(title)\",\"status\":\(status.code)}\n".utf8),
            contentType: "application/problem+json", status: status)
    }
}

extension String {
    /// The text for a JSON string; it holds no controls, as no reason phrase does.
    fileprivate var escapedForJSON: String {
        var escaped = ""
        for character in unicodeScalars {
            if character == "\"" || character == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(character)
        }
        return escaped
    }
}
