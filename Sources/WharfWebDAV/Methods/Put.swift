import WharfCrypto
import WharfHTTP
import WharfNet
import WharfServer

/// PUT (RFC 4918 §9.7).
extension WebDAVExchange {
    func put() async throws -> Response {
        if let value = request.fields[.contentRange] {
            // RFC 9110 §14.5: never take a part for the whole.
            guard handler.options.allowsPartialWrites else {
                throw WebDAVError(.badRequest, reason: "PUT of a part")
            }
            guard let range = UpdateRange(contentRange: value) else {
                throw WebDAVError(.badRequest, reason: "Content-Range: \(value)")
            }
            return try await write(range, mayMake: true)
        }
        var content = UploadContent()
        if let value = request.fields[.xExpectedEntityLength], request.body.length == nil {
            content.begin = try reservation(value)
        }
        let companion = ChangeCompanion(before: { try checkPlacing() })
        return try await store(content, companion)
    }

    /// Writes the body, with the time and the checksum that come with it.
    func store(_ content: UploadContent, _ companion: ChangeCompanion) async throws -> Response {
        var content = content
        if let value = request.fields[.xOCMtime] {
            guard let time = UnixTime(value) else {
                throw WebDAVError(.badRequest, reason: "X-OC-Mtime: \(value)")
            }
            content.modificationTime = time.nanoseconds
        }
        if content.isWhole { try addChecksum(to: &content) }
        let placed = try await share.write(request, to: path.bytes, content, companion) {
            try checkPut()
        }
        let validators = FileValidators(placed.status, now: now)
        var fields: HTTPFields = [.eTag: validators.eTag, .lastModified: validators.lastModified]
        fields[.reprDigest] = placed.digest
        if content.modificationTime != nil { fields[.xOCMtime] = "accepted" }
        return Response(status: placed.isNew ? .created : .noContent, fields: fields)
    }

    /// What has to hold before anything of the body is asked for; for the pool.
    private func checkPut() throws {
        try checkVisible(path)
        let existing = try look(at: path)
        try checkConditions(of: existing?.status)
        // RFC 4918 §9.7.2.
        guard existing?.status.kind != .folder else {
            throw HTTPError(.methodNotAllowed, fields: [.allow: handler.allow])
        }
        guard !isFolderPath else { throw WebDAVError(.conflict, reason: "a file has no slash") }
        try checkLocks([path] + (existing == nil ? parentPaths : []))
    }

    /// The same when the body is there: somebody may have locked it since; for the pool.
    func checkPlacing() throws {
        guard !locks.isEmpty || properties.mayHaveAny else { return }
        let isNew = try look(at: path) == nil
        try checkLocks([path] + (isNew ? parentPaths : []))
        if isNew { try handler.state.prepareNew(path) }
    }

    /// Reserves what Finder says that a chunked body will have, so that a full disk is told early.
    private func reservation(_ value: String) throws -> @Sendable (FileWriter) throws -> Void {
        guard let length = Int64(value), length >= 0 else {
            throw WebDAVError(.badRequest, reason: "X-Expected-Entity-Length: \(value)")
        }
        if let max = handler.bodyMax, length > max { throw HTTPBodyTooLarge(byteCountMax: max) }
        return { writer in try writer.reserve(length) }
    }

    /// Looks whether the body has the hash that the client says, and keeps it.
    private func addChecksum(to content: inout UploadContent) throws {
        guard let value = request.fields[.ocChecksum] else { return }
        switch FileChecksum.read(value) {
        case .malformed: throw WebDAVError(.badRequest, reason: "OC-Checksum: \(value)")
        // It is the client's to compare.
        case .unknown: return
        case .checksum(let checksum):
            let hash = RunningHash(checksum.algorithm)
            content.observe = { hash.update($0) }
            content.end = { _ in
                guard hash.finish() == checksum.digest else {
                    throw WebDAVError(.badRequest, reason: "the body has another OC-Checksum")
                }
            }
            content.placed = { placed in
                let eTag = FileValidators(placed.status, now: now).eTag
                let kept = KeptChecksum(checksum, of: eTag).property
                try properties.change(path, set: [kept], remove: [])
            }
        }
    }
}

/// A hash that is computed while a body arrives, piece after piece.
private final class RunningHash: @unchecked Sendable {
    // @unchecked: one piece comes after the other, never two at once.
    private var hash: Hash?

    init(_ algorithm: HashAlgorithm) { hash = Hash(algorithm) }

    func update(_ bytes: Span<UInt8>) { hash?.update(bytes) }

    func finish() -> [UInt8]? { hash.take()?.finish() }
}
