public import WharfHTTP

extension Response {
    /// A value as JSON.
    ///
    ///     router.get("/status") { _ in try .json(Status(isReady: true)) }
    ///
    /// Dates are ISO 8601, data is Base64, and keys are in order. Throws `EncodingError` for what
    /// JSON can't say, such as an infinite number; uncaught that is answered 500.
    public static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        .bytes(try JSONFormat.encode(value), contentType: "application/json", status: status)
    }
}
