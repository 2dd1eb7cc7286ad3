import WharfHTTP
import WharfNet

extension Request {
    /// Reads the body as a form: `multipart/form-data` or `application/x-www-form-urlencoded`.
    ///
    /// Texts are held in memory, files written to a disk as they come. Throws the ``HTTPError`` to
    /// be answered: 415 for another type, 400 for a form that is malformed or cut, 413 past a limit,
    /// 507 for a full disk. Nothing is left of its files then.
    public func form(limits: Form.Limits = Form.Limits()) async throws -> Form {
        try await form(limits, folder: nil)
    }

    /// The same for a form whose files go into a share: they lie on its disk from the start.
    ///
    /// None may be longer than the share takes.
    package func form(
        into share: Share, limits: Form.Limits = Form.Limits()
    ) async throws -> Form {
        var limits = limits
        limits.fileMax = limits.fileMax ?? share.options.uploadMax
        let folder = try await offload {
            // What can't be had here is said when the file is to be placed.
            try? share.root.place(of: Array("file".utf8)).get().folder
        }
        return try await form(limits, folder: folder)
    }

    private func form(_ limits: Form.Limits, folder: FileHandle?) async throws -> Form {
        try refuseEncoded()
        let type = fields[.contentType].flatMap { MediaType($0) }
        if type?.type == "application", type?.subtype == "x-www-form-urlencoded" {
            return try await urlEncodedForm(limits)
        }
        return try await multipartForm(limits, folder)
    }

    private func urlEncodedForm(_ limits: Form.Limits) async throws -> Form {
        let bytes = try await body.collect(upTo: limits.textMax)
        guard let form = URLEncodedForm(parsing: bytes, fieldCountMax: limits.partCountMax) else {
            throw HTTPError(.contentTooLarge, reason: "a form with too many fields")
        }
        return Form(
            parts: form.fields.map {
                FormPart(name: $0.name, content: .text(Array($0.value.utf8)))
            })
    }

    private func multipartForm(_ limits: Form.Limits, _ folder: FileHandle?) async throws
        -> Form
    {
        let multipart = MultipartLimits(partCountMax: limits.partCountMax)
        let boundary = try MultipartBoundary(
            contentType: fields[.contentType], limits: multipart)
        let receiver = FormReceiver(
            boundary, multipart, limits, folder: folder, pool: exchange.server.pool)
        do {
            try await body.relay { try receiver.consume($0) }
            return Form(parts: try receiver.finish())
        } catch {
            throw HTTPError.writing(error)
        }
    }

    /// A form in a coding that nobody has taken off is another text (RFC 9110 §8.4).
    func refuseEncoded() throws {
        guard fields[.contentEncoding]?.lowercased() ?? "identity" == "identity" else {
            throw HTTPError(
                .unsupportedMediaType, reason: "an encoded form",
                fields: [.acceptEncoding: "identity"])
        }
    }
}
