import WharfHTTP
import WharfServer

/// OPTIONS, where several protocols tell what they can.
extension UploadExchange {
    static let tusExtensions = """
        creation,creation-with-upload,creation-defer-length,expiration,checksum,checksum-trailer,\
        termination,concatenation
        """

    /// The answer of the handler behind, and what uploads add to it.
    func answerOptions() async throws -> Response {
        var response: Response
        if place == .elsewhere {
            response = try await uploads.inner.respond(to: request)
        } else {
            response = Response(status: .noContent, fields: [.allow: UploadCall.allow])
        }
        guard response.status.kind == .successful else { return response }
        addAllowed(to: &response.fields)
        response.fields[.tusResumable] = UploadCall.Tus.version
        response.fields[.tusVersion] = UploadCall.Tus.version
        response.fields[.tusExtension] = Self.tusExtensions
        response.fields[.tusMaxSize] = uploadMax.map { "\($0)" }
        response.fields[.tusChecksumAlgorithm] =
            Self.tusAlgorithms.map(\.name).joined(separator: ",")
        return response
    }

    private func addAllowed(to fields: inout HTTPFields) {
        var names = (fields[.allow] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
        let needed = place == .elsewhere || place == .collection ? ["POST"] : []
        names += needed.filter { !names.contains($0) }
        fields[.allow] = names.joined(separator: ", ")
        fields[.acceptPatch] = "\(UploadCall.tusType), \(UploadCall.resumableType)"
        let dialect = ResumableDialect(self.fields)
        fields[.uploadLimit] = limit(dialect, age: uploads.options.lifetime.components.seconds)
    }
}
