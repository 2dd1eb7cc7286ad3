/// Bodies that come piece by piece.
extension Response {
    /// A body that the closure writes while it is sent; see ``ResponseBody/stream(length:_:)``.
    public static func stream(
        contentType: String = "application/octet-stream", length: Int64? = nil,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> Response {
        Response(contentType: contentType, body: .stream(length: length, write))
    }
}
