import WharfHTTP
import WharfNet
import WharfServer

/// Writes into files: PUT with Content-Range, and sabre/dav's PATCH.
///
/// A copy is changed and takes the file's place, so that nobody ever sees a part of the change.
extension WebDAVExchange {
    static let patchType = "application/x-sabredav-partialupdate"

    /// The answer to PATCH.
    func patch() async throws -> Response {
        guard MediaType(request.fields[.contentType] ?? "")?.essence == Self.patchType else {
            throw HTTPError(
                .unsupportedMediaType, reason: "PATCH of another type",
                fields: [.acceptPatch: Self.patchType])
        }
        guard request.body.length != nil, request.fields.contains(.contentLength) else {
            throw HTTPError(.lengthRequired, reason: "PATCH without a length")
        }
        guard let range = request.fields[.xUpdateRange].flatMap(UpdateRange.init(updateRange:))
        else { throw WebDAVError(.badRequest, reason: "X-Update-Range") }
        return try await write(range, mayMake: false)
    }

    /// Writes a part of a file, that the body is; `mayMake`: whether there may be no file yet.
    func write(_ range: UpdateRange, mayMake: Bool) async throws -> Response {
        if let count = range.count, let length = request.body.length, count != length {
            throw HTTPError(.rangeNotSatisfiable, reason: "a range of another length")
        }
        let original = Locked<OpenedFile?>(nil)
        var content = UploadContent()
        content.isWhole = false
        content.begin = { writer in
            let opened = try look(at: path)
            guard opened != nil || mayMake else { throw HTTPError(.notFound) }
            original.withLock { $0 = opened }
            try begin(writer, range, opened, mayLeaveGap: !mayMake)
        }
        content.end = { writer in
            guard let opened = original.withLock(\.self) else { return }
            if let count = range.count, let start = range.start(in: opened.status.size),
                writer.byteCount != start + count
            {
                throw HTTPError(.rangeNotSatisfiable, reason: "a body of another length")
            }
            try writer.append(opened.handle, from: writer.byteCount, countMax: .max)
        }
        let companion = ChangeCompanion(before: {
            try checkPlacing()
            let now = try look(at: path)?.status
            // Another one has written meanwhile: the copy is of what was there before.
            guard now == original.withLock({ $0?.status }) else {
                throw WebDAVError(.conflict, reason: "changed by another request meanwhile")
            }
        })
        return try await store(content, companion)
    }

    /// Writes what is before the part; for the pool.
    private func begin(
        _ writer: FileWriter, _ range: UpdateRange, _ opened: OpenedFile?, mayLeaveGap: Bool
    ) throws {
        let size = opened?.status.size ?? 0
        guard let start = range.start(in: size), start <= size || mayLeaveGap,
            start - size <= Self.gapMax
        else { throw HTTPError(.rangeNotSatisfiable, reason: "a part outside of the file") }
        if let opened {
            try writer.append(opened.handle, from: 0, countMax: min(start, size))
        }
        let isEmpty = request.body.length == 0
        if !isEmpty { try writer.skip(start - writer.byteCount) }
    }

    /// What is never written reads as zeros; a file needs no disk for it, but who reads it has to.
    private static let gapMax: Int64 = 1 << 30
}
