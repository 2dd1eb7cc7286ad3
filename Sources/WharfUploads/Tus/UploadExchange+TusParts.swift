import WharfCrypto
import WharfHTTP
import WharfNet
import WharfServer

/// Uploads made of parts, and checksums of parts (concatenation, checksum, checksum-trailer).
extension UploadExchange {
    /// What Upload-Concat says; `nil` without one.
    func concatenation() throws -> TusConcatenation? {
        guard let value = fields[.uploadConcat] else { return nil }
        guard let parts = TusConcatenation(parsing: value) else {
            throw HTTPError(.badRequest, reason: "Upload-Concat is malformed")
        }
        return parts
    }

    /// Makes an upload of parts, whose bytes are copied one after the other; the parts go then.
    func concatenate(_ urls: [String], _ draft: UploadStore.Draft) async throws -> Response {
        guard !fields.contains(.uploadLength) else {
            throw HTTPError(.badRequest, reason: "a final upload has the length of its parts")
        }
        let ids = urls.map { String($0.split(separator: "/").last ?? "") }
        guard Set(ids).count == ids.count else {
            throw HTTPError(.badRequest, reason: "a part is named twice")
        }
        let parts = try await offload { [store, owner, now] in
            try ids.map { try Self.wholePart($0, store, owner, now) }
        }
        var draft = draft
        draft.concatenation = fields[.uploadConcat]
        var length: Int64 = 0
        for part in parts {
            let (sum, overflow) = length.addingReportingOverflow(part.length ?? 0)
            guard !overflow else { throw HTTPError(.contentTooLarge) }
            length = sum
        }
        try checkLength(length)
        draft.length = length
        let (record, writer) = try await offload { [store, now, draft] in
            try store.make(draft, now: now)
        }
        return try await holding(record.id) {
            try await closing(writer) { try await join(parts, record, writer) }
        }
    }

    private func join(_ parts: [UploadRecord], _ record: UploadRecord, _ writer: FileWriter)
        async throws -> Response
    {
        var record = record
        do {
            try await offload { [store] in
                for part in parts {
                    let source = try store.open(part)
                    defer { source.suspend() }
                    try source.forEachBlock { try writer.write($0) }
                }
            }
        } catch {
            try await offload { [store, record] in
                writer.discard()
                try store.remove(record)
            }
            throw error
        }
        var response = try await placeTus(&record, writer)
        guard response.status.kind == .successful else { return response }
        try await offload { [store] in for part in parts { try store.remove(part) } }
        response.status = .created
        response.fields[.location] = location(of: record.id)
        return response
    }

    /// A part of a user's that is complete, and that nobody writes.
    private static func wholePart(
        _ id: String, _ store: UploadStore, _ owner: String?, _ now: Int64
    ) throws -> UploadRecord {
        let part = try store.find(id, owner: owner, now: now)
        guard part.target == nil else {
            throw HTTPError(.badRequest, reason: "an upload that is no part")
        }
        guard try part.length == store.offset(of: part), !store.gate.isTaken(id) else {
            throw HTTPError(.conflict, reason: "a part that is not complete")
        }
        return part
    }

    // MARK: Checksums

    static let tusAlgorithms: [(name: String, algorithm: HashAlgorithm)] = [
        ("sha1", .sha1), ("sha256", .sha256),
    ]

    /// What the body's checksum has to be, said before or behind it.
    func tusChecksum() throws -> ExpectedChecksum? {
        if let value = fields[.uploadChecksum] {
            let (algorithm, digest) = try Self.checksum(value)
            return ExpectedChecksum(algorithms: [algorithm]) { computed in
                guard computed.allSatisfy({ $0.1 == digest }) else { throw Self.mismatch }
            }
        }
        let trailers = (fields[.trailer] ?? "").split(separator: ",").map {
            $0.filter { $0 != " " }
        }
        guard trailers.contains(where: { $0.lowercased() == "upload-checksum" }) else { return nil }
        let body = request.body
        return ExpectedChecksum(algorithms: Self.tusAlgorithms.map(\.algorithm)) { computed in
            guard let value = body.trailers[.uploadChecksum] else {
                throw HTTPError(.badRequest, reason: "the trailer Upload-Checksum is missing")
            }
            let (algorithm, digest) = try Self.checksum(value)
            guard computed.contains(where: { $0.0 == algorithm && $0.1 == digest }) else {
                throw Self.mismatch
            }
        }
    }

    private static func checksum(_ value: String) throws -> (HashAlgorithm, [UInt8]) {
        guard let checksum = TusChecksum(parsing: value),
            let known = tusAlgorithms.first(where: { $0.name == checksum.algorithm })
        else { throw HTTPError(.badRequest, reason: "Upload-Checksum: \(value)") }
        return (known.algorithm, checksum.digest)
    }

    /// tus: a status of its own.
    private static var mismatch: HTTPError {
        HTTPError(
            HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch"),
            reason: "the body's checksum is another")
    }
}
