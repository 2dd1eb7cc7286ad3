import WharfHTTP
import WharfNet
import WharfServer

/// PUT (RFC 4918 §9.7).
extension WebDAVExchange {
    func put() async throws -> Response {
        try await request.offload { try checkPut() }
        var time: UnixTime?
        if let value = request.fields[.xOCMtime] {
            guard let parsed = UnixTime(value) else {
                throw WebDAVError(.badRequest, reason: "X-OC-Mtime: \(value)")
            }
            time = parsed
        }
        // Somebody may have locked it while the body came.
        let placed = try await share.write(request, to: path.bytes) { try checkLocks([path]) }
        var status = placed.status
        if let time { status = try await request.offload { [status] in try stamp(status, time) } }
        let validators = FileValidators(status, now: request.unixTime)
        var fields: HTTPFields = [.eTag: validators.eTag, .lastModified: validators.lastModified]
        fields[.reprDigest] = placed.digest
        if time != nil { fields[.xOCMtime] = "accepted" }
        return Response(status: placed.isNew ? .created : .noContent, fields: fields)
    }

    /// What has to hold before anything of the body is asked for; for the pool.
    private func checkPut() throws {
        try checkVisible(path)
        let existing = try look(at: path)
        try checkConditions(of: existing?.status)
        // RFC 9110 §14.5: never take a part for the whole.
        guard !request.fields.contains(.contentRange) else {
            throw WebDAVError(.badRequest, reason: "PUT of a part")
        }
        // RFC 4918 §9.7.2.
        guard existing?.status.kind != .folder else {
            throw HTTPError(.methodNotAllowed, fields: [.allow: handler.allow])
        }
        try checkParent()
        guard !isFolderPath else { throw WebDAVError(.conflict, reason: "a file has no slash") }
        try checkLocks([path] + (existing == nil ? parentPaths : []))
    }

    /// Gives the file the time that the client wants it to have: what it is then; for the pool.
    private func stamp(_ status: FileStatus, _ time: UnixTime) throws -> FileStatus {
        try share.setModificationTime(time.nanoseconds, of: path.bytes)
        return try look(at: path)?.status ?? status
    }
}
