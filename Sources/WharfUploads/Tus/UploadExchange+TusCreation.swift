import WharfHTTP
import WharfNet
import WharfServer

/// How an upload begins in tus.
extension UploadExchange {
    /// POST (creation, creation-with-upload, concatenation).
    func createTus() async throws -> Response {
        guard let metadata = TusMetadata(parsing: fields[.uploadMetadata] ?? "") else {
            throw HTTPError(.badRequest, reason: "Upload-Metadata is malformed")
        }
        let parts = try concatenation()
        var draft = UploadStore.Draft(owner: owner, folder: [])
        draft.metadata = fields[.uploadMetadata]
        if parts != .partial {
            let target = try await tusTarget(metadata)
            if let refusal = try await refusal(of: target, makesFolders: true) { return refusal }
            draft.target = target
            draft.folder = try await nearestFolder(to: target.path)
        }
        if case .final(let urls) = parts { return try await concatenate(urls, draft) }
        draft.length = try tusLength()
        try checkLength(draft.length ?? 0)
        let checksum = try tusChecksum()
        let (record, writer) = try await offload { [store, now, draft] in
            try store.make(draft, now: now)
        }
        return try await begin(record, writer, checksum)
    }

    private func begin(
        _ record: UploadRecord, _ writer: FileWriter, _ checksum: ExpectedChecksum?
    ) async throws -> Response {
        let hasBody =
            fields[.contentType].flatMap { MediaType($0) }?.essence == UploadCall.tusType
            && request.body.length != 0
        var response: Response
        if hasBody || record.length == 0 {
            response = try await holding(record.id) { try await write(record, writer, checksum) }
            guard response.status.kind == .successful else { return response }
        } else {
            try await offload { writer.suspend() }
            response = Response(fields: tusFields(record, 0))
        }
        response.status = .created
        response.fields[.location] = location(of: record.id)
        return response
    }

    private func tusLength() throws -> Int64? {
        let value = fields[.uploadLength]
        switch (value, fields[.uploadDeferLength]) {
        case (nil, "1"): return nil
        case (let value?, nil):
            guard let length = UploadCount.parse(value) else {
                throw HTTPError(.badRequest, reason: "Upload-Length is no number")
            }
            return length
        default:
            throw HTTPError(.badRequest, reason: "neither Upload-Length nor Upload-Defer-Length")
        }
    }

    // MARK: Where the file goes

    /// What metadata and URL say of the file.
    private func tusTarget(_ metadata: TusMetadata) async throws -> UploadRecord.Target {
        let names = try Self.names(metadata)
        let folder: RequestPath
        if place == .collection {
            folder = try RequestPath(validating: "/")
        } else {
            folder = try RequestPath(validating: path)
        }
        // A second text for a place would pass the route that guards the first.
        guard folder.isCanonical else {
            throw HTTPError(.badRequest, reason: "dots in the path")
        }
        let bytes = Self.joined(folder.segments)
        let root = share.root
        try await offload {
            guard root.hasFolder(bytes) else {
                throw HTTPError(.notFound, reason: "no folder to upload to")
            }
        }
        return UploadRecord.Target(
            method: .put,
            path: Self.encoded(folder.segments + names.map { Array($0.utf8) }),
            clash: try clash(metadata), fields: [])
    }

    /// The names of the file, and of the folders that it is in below the folder that is uploaded to.
    private static func names(_ metadata: TusMetadata) throws -> [String] {
        let name = metadata.text("filename", "name")
        var relative = metadata.text("path", "relativePath")
        // Uppy says so when there is none.
        if name != nil, relative == "null" { relative = nil }
        guard let text = relative ?? name else {
            return ["upload-" + String(UInt64.random(in: .min ... .max), radix: 16)]
        }
        do {
            let room = FileName.byteCountMax - " (\(numberMax))".utf8.count
            return relative == nil
                ? [try FileName.sanitized(text, byteCountMax: room, isReserved: isReserved)]
                : try FileName.sanitizedPath(
                    text, byteCountMax: room, isReserved: isReserved)
        } catch {
            throw HTTPError(.badRequest, reason: "the name of an upload: \(error)")
        }
    }

    private static func isReserved(_ name: String) -> Bool {
        PartName.isReserved(Array(name.utf8)) || name.lowercased() == ".wharf"
    }

    private func clash(_ metadata: TusMetadata) throws -> NameClash {
        switch metadata.text("conflict") {
        case nil: return uploads.options.nameClash
        case "keep-both": return .keepBoth
        case "replace": return .replace
        case "refuse": return .refuse
        default:
            throw HTTPError(.badRequest, reason: "conflict is none of keep-both, replace, refuse")
        }
    }

    /// The folder of a file, or the nearest above it that is there: so the file can be moved to its
    /// name without being copied.
    func nearestFolder(to path: String) async throws -> [UInt8] {
        let segments = try RequestPath(validating: path).segments
        let root = share.root
        return try await offload {
            (0..<segments.count).reversed().map { Self.joined(segments.prefix($0)) }
                .first { root.hasFolder($0) } ?? []
        }
    }
}
