import WharfHTTP
import WharfNet
import WharfServer

/// Where an upload of the IETF's goes: to the URL that it was begun at.
extension UploadExchange {
    /// Fields that the handler behind has to know when the upload is whole, and bytes of them that are
    /// kept.
    private static let kept: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentRange, .contentDisposition, .ifMatch, .ifNoneMatch,
        .ifUnmodifiedSince, .if, .xOCMtime, .prefer, .reprDigest, .wantReprDigest, .accept,
        .acceptLanguage,
    ]
    private static let keptByteCountMax = 16 * 1024

    /// The request that the upload stands for.
    ///
    /// A POST on a folder, with a body that is no form and a name in Content-Disposition, is a file to
    /// be put there.
    func resumableTarget() async throws -> UploadRecord.Target {
        var target = UploadRecord.Target(
            method: request.method, path: targetPath, clash: .replace, fields: try keptFields())
        if request.method == .post, let name = try fileName() {
            let folder = try RequestPath(validating: path)
            target.method = .put
            target.path = Self.encoded(folder.segments + [Array(name.utf8)])
            target.clash = uploads.options.nameClash
        }
        guard uploads.inner.allowedMethods.contains(target.method) else {
            let allowed = uploads.allowedMethods.map(\.rawValue).joined(separator: ", ")
            throw HTTPError(.methodNotAllowed, fields: [.allow: allowed])
        }
        if target.method == .put {
            let parsed = try RequestPath(validating: target.path)
            guard parsed.isCanonical else {
                throw HTTPError(.badRequest, reason: "dots in the path")
            }
            // RFC 4918 §9.7.2.
            guard !parsed.hasTrailingSlash else { throw HTTPError(writing: .isDirectory) }
        }
        return target
    }

    private var targetPath: String {
        request.query.map { "\(path)?\($0)" } ?? String(path)
    }

    private func keptFields() throws -> [UploadRecord.Field] {
        let kept = Self.kept.flatMap { name in
            fields[values: name].map { UploadRecord.Field(name: name.rawName, value: $0) }
        }
        let byteCount = kept.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard byteCount <= Self.keptByteCountMax else {
            throw HTTPError(.requestHeaderFieldsTooLarge, reason: "fields of an upload")
        }
        return kept
    }

    private func fileName() throws -> String? {
        let type = fields[.contentType].flatMap { MediaType($0) }?.essence
        guard type != "multipart/form-data", type != "application/x-www-form-urlencoded",
            let value = fields[.contentDisposition],
            let name = ContentDisposition.parse(value)?.fileName
        else { return nil }
        do {
            let room = FileName.byteCountMax - " (\(Self.numberMax))".utf8.count
            return try FileName.sanitized(
                name, byteCountMax: room, isReserved: { PartName.isReserved(Array($0.utf8)) })
        } catch {
            throw HTTPError(.badRequest, reason: "the name of an upload: \(error)")
        }
    }
}
