import WharfHTTP
import WharfNet
import WharfServer

/// What tus clients ask (tus resumable upload protocol 1.0.0).
extension UploadExchange {
    /// Answers a request of tus.
    func answerTus(_ call: UploadCall.Tus) async throws -> Response {
        do {
            var response = try await answer(call)
            response.fields[.tusResumable] = UploadCall.Tus.version
            return response
        } catch {
            throw tusFailure(error)
        }
    }

    private func answer(_ call: UploadCall.Tus) async throws -> Response {
        switch call {
        case .create: try await createTus()
        case .head: try await withUpload { try await tellTus($0) }
        case .append: try await withUpload { try await appendTus($0) }
        case .terminate: try await withUpload { try await terminate($0) }
        }
    }

    /// The answer says which protocol it belongs to, whatever it is.
    private func tusFailure(_ error: any Error) -> any Error {
        var answer: HTTPError
        switch error {
        case let error as HTTPError: answer = error
        case let error as HTTPBodyTooLarge:
            answer = HTTPError(
                .contentTooLarge, reason: "more than \(error.byteCountMax) bytes")
        default: return error
        }
        answer.fields[.tusResumable] = UploadCall.Tus.version
        return answer
    }

    /// HEAD.
    ///
    /// An upload that has all its bytes and was kept from its name, by the end of the process
    /// perhaps, gets it now: its client would not come again.
    private func tellTus(_ record: UploadRecord) async throws -> Response {
        let offset = try await offload { [store] in try store.offset(of: record) }
        var record = record
        if record.outcome == nil, record.target != nil, record.length == offset {
            let writer = try await openUpload(record)
            let whole = record
            record = try await closing(writer) {
                var record = whole
                _ = try await placeTus(&record, writer)
                return record
            }
        }
        var fields = tusFields(record, offset)
        fields[.cacheControl] = "no-store"
        if let length = record.length {
            fields[.uploadLength] = "\(length)"
        } else {
            fields[.uploadDeferLength] = "1"
        }
        fields[.uploadMetadata] = record.metadata
        fields[.uploadConcat] =
            record.concatenation ?? (record.target == nil ? "partial" : nil)
        return Response(fields: fields)
    }

    /// PATCH.
    private func appendTus(_ record: UploadRecord) async throws -> Response {
        guard record.concatenation == nil else {
            throw HTTPError(.forbidden, reason: "PATCH of what was made of parts")
        }
        guard let value = fields[.uploadOffset], let offset = UploadCount.parse(value) else {
            throw HTTPError(.badRequest, reason: "Upload-Offset is missing or no number")
        }
        let checksum = try tusChecksum()
        let record = try await takeLength(record)
        if let outcome = record.outcome {
            try checkOffset(offset, is: outcome.byteCount)
            return Response(status: .noContent, fields: tusFields(record, offset))
        }
        let writer = try await openUpload(record)
        return try await closing(writer) {
            try checkOffset(offset, is: writer.byteCount)
            return try await writeOpen(record, writer, checksum)
        }
    }

    private func checkOffset(_ offset: Int64, is present: Int64) throws {
        guard offset == present else {
            throw HTTPError(
                .conflict, reason: "Upload-Offset \(offset), not \(present)",
                fields: [.uploadOffset: "\(present)"])
        }
    }

    /// Opens an upload's file to go on with it.
    func openUpload(_ record: UploadRecord) async throws -> FileWriter {
        try await offload { [store] in try store.open(record) }
    }

    /// The length that was to follow (creation-defer-length).
    private func takeLength(_ record: UploadRecord) async throws -> UploadRecord {
        guard let value = fields[.uploadLength] else { return record }
        guard let length = UploadCount.parse(value) else {
            throw HTTPError(.badRequest, reason: "Upload-Length is no number")
        }
        guard record.length == nil else {
            if record.length == length { return record }
            throw HTTPError(.badRequest, reason: "Upload-Length is another than before")
        }
        try checkLength(length)
        return try await offload { [store] in
            guard try store.offset(of: record) <= length else {
                throw HTTPError(.badRequest, reason: "Upload-Length is less than what is there")
            }
            return try store.setLength(length, of: record)
        }
    }

    /// Writes the body, and makes a file of the upload if nothing is missing then.
    func write(
        _ record: UploadRecord, _ writer: FileWriter, _ checksum: ExpectedChecksum?
    ) async throws -> Response {
        try await closing(writer) { try await writeOpen(record, writer, checksum) }
    }

    private func writeOpen(
        _ record: UploadRecord, _ writer: FileWriter, _ checksum: ExpectedChecksum?
    ) async throws -> Response {
        var record = record
        let offset = try await receive(into: writer, &record, checksum)
        if record.length == offset, record.target != nil {
            return try await placeTus(&record, writer)
        }
        record = try await offload { [store, now, record] in
            var record = record
            try store.touch(&record, now: now)
            return record
        }
        return Response(status: .noContent, fields: tusFields(record, offset))
    }

    /// Makes a file of the upload; what is refused is answered as the handler behind has it.
    func placeTus(_ record: inout UploadRecord, _ writer: FileWriter) async throws -> Response {
        let byteCount = writer.byteCount
        let placement = try await place(&record, writer)
        guard placement.response.status.kind == .successful else { return placement.response }
        var fields = tusFields(record, byteCount)
        fields[.eTag] = placement.response.fields[.eTag]
        fields[.contentLocation] = href(placement.path)
        return Response(status: .noContent, fields: fields)
    }

    /// DELETE (termination).
    private func terminate(_ record: UploadRecord) async throws -> Response {
        try await offload { [store] in try store.remove(record) }
        return .status(.noContent)
    }

    /// What every answer about an upload says.
    func tusFields(_ record: UploadRecord, _ offset: Int64) -> HTTPFields {
        var fields: HTTPFields = [.uploadOffset: "\(offset)"]
        if record.outcome == nil {
            fields[.uploadExpires] = HTTPDate(unixSeconds: record.expiry).description
        } else if let path = record.outcome?.path {
            fields[.contentLocation] = href(path)
        }
        return fields
    }
}
