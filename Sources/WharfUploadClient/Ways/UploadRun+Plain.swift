import WharfHTTP
import WharfHTTPClient
import WharfNet

/// Uploads in one request, which begins anew when it breaks off.
extension UploadRun {
    /// All files and fields as a form.
    mutating func sendForm() async throws -> UploadResult {
        let (upload, files) = (upload, files)
        let form = try await client.blocking {
            try Multipart(
                fields: upload.formFields, files: files, fieldName: upload.fieldName,
                boundary: upload.boundary)
        }
        var request = request(upload.method ?? .post, upload.url, body: form.body)
        request.fields[.contentType] = form.contentType
        return try await sendWhole(request, form.segments, .multipart)
    }

    /// The file as the body.
    mutating func sendRaw() async throws -> UploadResult {
        let (file, source) = try singleFile()
        let segments = [HTTPClient.Body.Segment.file(source)]
        var request = request(
            upload.method ?? .put, upload.fileURL, body: .segments(segments))
        if !request.fields.contains(.contentType), let type = file.sentType {
            request.fields[.contentType] = "\(type)"
        }
        return try await sendWhole(request, segments, .raw)
    }

    private mutating func sendWhole(
        _ request: HTTPClient.Request, _ segments: [HTTPClient.Body.Segment], _ way: Upload.Way
    ) async throws -> UploadResult {
        var request = request
        let total = segments.reduce(0) { $0 + $1.count }
        ticker.setTotal(total)
        if upload.sendsDigest {
            let digest = try await client.blocking { try ContentDigest.sha256(of: segments) }
            request.fields[.contentDigest] = ContentDigest.field(digest)
        }
        while true {
            request.progress = ticker.begin(at: 0)
            let outcome = await result { [self] in try await ask(request) }
            switch outcome {
            case .success(let answer) where answer.isSuccess:
                return UploadResult(
                    answer: answer, way: way, sentCount: total, firstOffset: 0,
                    retryCount: retry.count, uploadURL: nil)
            case .success(let answer):
                let error = UploadError.refused(answer)
                // 429 and 503 say that nothing was done; of others POST can't know.
                let isSafe = request.method.isIdempotent || [429, 503].contains(answer.status.code)
                guard answer.isPassing, isSafe else { throw error }
                try await retry.wait(after: error, on: client, wanted: answer.retryAfter)
            case .failure(let error):
                guard let failure = error as? HTTPClientError else { throw error }
                // Who has not got all of it can't have taken it for the whole.
                let isSafe = request.method.isIdempotent || ticker.sentCount < total
                guard failure.isTransient, isSafe else { throw failure }
                try await retry.wait(after: UploadError.wrap(failure), on: client)
            }
        }
    }

    /// What the closure comes to.
    func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
