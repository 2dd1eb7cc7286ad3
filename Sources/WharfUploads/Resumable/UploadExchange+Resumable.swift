import WharfHTTP
import WharfNet
import WharfServer

/// What clients of the IETF's resumable uploads ask (draft-ietf-httpbis-resumable-upload).
extension UploadExchange {
    /// Answers a request of a dialect.
    func answerResumable(_ call: UploadCall.Resumable, _ dialect: ResumableDialect) async throws
        -> Response
    {
        var response: Response
        do {
            switch call {
            case .create(let isComplete):
                response = try await createResumable(isComplete, dialect)
            case .head: response = try await withUpload { try await tell($0, dialect) }
            case .append(let isComplete):
                response = try await withUpload { try await append($0, isComplete, dialect) }
            case .cancel: response = try await withUpload { try await cancel($0) }
            }
        } catch let problem as ResumableProblem {
            request.log(.notice, "\(problem.status.code): \(problem.reason)")
            response = problem.response(dialect)
        } catch {
            throw withLimit(error, dialect)
        }
        dialect.setNumber(in: &response.fields)
        return response
    }

    /// 413 says what would have been taken.
    private func withLimit(_ error: any Error, _ dialect: ResumableDialect) -> any Error {
        guard let tooLarge = error as? HTTPBodyTooLarge else { return error }
        var fields: HTTPFields = [:]
        if dialect.hasLimits { fields[.uploadLimit] = limit(dialect, age: lifetime) }
        return HTTPError(
            .contentTooLarge, reason: "more than \(tooLarge.byteCountMax) bytes", fields: fields)
    }

    private var lifetime: Int64 { uploads.options.lifetime.components.seconds }

    func limit(_ dialect: ResumableDialect, age: Int64) -> String {
        dialect.limit(max: uploadMax, age: age)
    }

    // MARK: Creation

    private func createResumable(_ isComplete: Bool, _ dialect: ResumableDialect) async throws
        -> Response
    {
        let length = try announcedLength(isComplete, dialect)
        try checkLength(length ?? 0)
        let checksum = try BodyDigests.expected(request)
        var draft = UploadStore.Draft(owner: owner, folder: [], length: length)
        let target = try await resumableTarget()
        if let refusal = try await refusal(of: target) { return refusal }
        draft.target = target
        draft.folder = try await nearestFolder(to: target.path)
        let (record, writer) = try await offload { [store, now, draft] in
            try store.make(draft, now: now)
        }
        // Whoever learns the URL from the interim response may ask for it at once.
        return try await holding(record.id) {
            var fields: HTTPFields = [.location: location(of: record.id)]
            if dialect.hasLimits {
                fields[.uploadLimit] = limit(dialect, age: record.expiry - now)
            }
            if dialect.takesInterim {
                var interim = fields
                dialect.setNumber(in: &interim)
                let status = HTTPResponse.Status(
                    code: 104, reasonPhrase: "Upload Resumption Supported")
                try await request.sendInterim(status, interim)
            }
            var response = try await write(record, writer, isComplete, checksum, dialect)
            if !isComplete {
                response.status = .created
                for field in fields { response.fields[field.name] = field.value }
            }
            return response
        }
    }

    /// What the whole has, if that is known; what is said twice has to be the same.
    private func announcedLength(_ isComplete: Bool, _ dialect: ResumableDialect) throws -> Int64? {
        let said = try number(.uploadLength)
        guard isComplete, let count = request.body.length else { return said }
        guard said == nil || said == count else { throw ResumableProblem.inconsistentLength }
        return count
    }

    /// A field that is a whole number, not negative; `nil` without one.
    private func number(_ name: HTTPField.Name) throws -> Int64? {
        guard let value = fields[name] else { return nil }
        guard case .integer(let number) = StructuredField.item(value)?.value, number >= 0 else {
            throw HTTPError(.badRequest, reason: "\(name) is no number: \(value)")
        }
        return number
    }

    // MARK: An upload

    /// HEAD: how far it is.
    private func tell(_ record: UploadRecord, _ dialect: ResumableDialect) async throws -> Response
    {
        let offset = try await offload { [store] in try store.offset(of: record) }
        var fields = state(record, offset, dialect)
        fields[.cacheControl] = "no-store"
        return Response(status: .noContent, fields: fields)
    }

    private func state(_ record: UploadRecord, _ offset: Int64, _ dialect: ResumableDialect)
        -> HTTPFields
    {
        var fields: HTTPFields = [.uploadOffset: "\(offset)"]
        dialect.setComplete(record.outcome != nil, in: &fields)
        if dialect.hasLimits {
            fields[.uploadLength] = record.length.map { "\($0)" }
            fields[.uploadLimit] = limit(dialect, age: record.expiry - now)
        }
        return fields
    }

    /// PATCH: bytes behind those that there are.
    private func append(
        _ record: UploadRecord, _ isComplete: Bool, _ dialect: ResumableDialect
    ) async throws -> Response {
        guard let provided = try number(.uploadOffset) else {
            throw HTTPError(.badRequest, reason: "Upload-Offset is missing")
        }
        guard record.outcome == nil else { throw ResumableProblem.completed }
        let checksum = try BodyDigests.expected(request)
        let offset = try await offload { [store] in try store.offset(of: record) }
        guard provided == offset else {
            throw ResumableProblem.mismatchingOffset(expected: offset, provided: provided)
        }
        let record = try await withLength(record, offset, isComplete)
        let writer = try await openUpload(record)
        return try await write(record, writer, isComplete, checksum, dialect)
    }

    /// Takes notice of a length that this request tells, in one way or another.
    private func withLength(_ record: UploadRecord, _ offset: Int64, _ isComplete: Bool)
        async throws -> UploadRecord
    {
        var told = [try number(.uploadLength), record.length].compactMap(\.self)
        if let count = request.body.length {
            let (end, overflow) = offset.addingReportingOverflow(count)
            guard !overflow, told.allSatisfy({ end <= $0 }) else {
                throw ResumableProblem.inconsistentLength
            }
            if isComplete { told.append(end) }
        }
        guard let length = told.first else { return record }
        guard told.allSatisfy({ $0 == length }), offset <= length else {
            throw ResumableProblem.inconsistentLength
        }
        try checkLength(length)
        guard record.length != length else { return record }
        return try await offload { [store] in try store.setLength(length, of: record) }
    }

    private func cancel(_ record: UploadRecord) async throws -> Response {
        try await offload { [store] in try store.remove(record) }
        return .status(.noContent)
    }

    /// Writes the body, and hands the upload on if that was the last of it.
    private func write(
        _ record: UploadRecord, _ writer: FileWriter, _ isComplete: Bool,
        _ checksum: ExpectedChecksum?, _ dialect: ResumableDialect
    ) async throws -> Response {
        try await closing(writer) {
            try await writeOpen(record, writer, isComplete, checksum, dialect)
        }
    }

    private func writeOpen(
        _ record: UploadRecord, _ writer: FileWriter, _ isComplete: Bool,
        _ checksum: ExpectedChecksum?, _ dialect: ResumableDialect
    ) async throws -> Response {
        var record = record
        let offset = try await receive(into: writer, &record, checksum)
        guard isComplete else {
            record = try await offload { [store, now, record] in
                var record = record
                try store.touch(&record, now: now)
                return record
            }
            return Response(
                status: dialect.appendedStatus, fields: state(record, offset, dialect))
        }
        guard record.length == nil || record.length == offset else {
            throw ResumableProblem.inconsistentLength
        }
        record.length = offset
        let placement: Placement
        do {
            placement = try await place(&record, writer)
        } catch let error as HTTPError {
            // It is the target's word: to try again is not to go on.
            var error = error
            dialect.setComplete(true, in: &error.fields)
            throw error
        }
        var response = placement.response
        dialect.setComplete(true, in: &response.fields)
        if response.status.kind == .successful {
            response.fields[.contentLocation] = href(placement.path)
        }
        return response
    }
}
