/// Bodies that come piece by piece.
extension Response {
    /// A body that the closure writes while it is sent; see ``ResponseBody/stream(length:_:)``.
    public static func stream(
        contentType: String = "application/octet-stream", length: Int64? = nil,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> Response {
        Response(contentType: contentType, body: .stream(length: length, write))
    }

    /// A body that is what a sequence yields.
    ///
    /// It is read as fast as the client takes it. A sequence that throws cuts the connection, and
    /// so does one of another length than was announced. For HEAD it isn't read.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        contentType: String = "application/octet-stream", length: Int64? = nil, of pieces: Pieces
    ) -> Response where Pieces.Element == [UInt8] {
        stream(contentType: contentType, length: length) { writer in
            for try await piece in pieces { try await writer.write(piece) }
        }
    }

    /// A body that the closure is asked for, one piece after the other, until it answers `nil`.
    ///
    /// An empty piece isn't the end. A closure that throws cuts the connection.
    public static func stream(
        contentType: String = "application/octet-stream", length: Int64? = nil,
        pulling next: @escaping @Sendable () async throws -> [UInt8]?
    ) -> Response {
        stream(contentType: contentType, length: length) { writer in
            while let piece = try await next() { try await writer.write(piece) }
        }
    }
}
