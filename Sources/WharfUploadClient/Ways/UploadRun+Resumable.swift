import WharfHTTP
import WharfHTTPClient
import WharfNet

extension UploadRun {
    /// The number of the drafts that this client speaks: -09 and later.
    static let interopVersion = "8"

    /// By the IETF's resumable uploads; `limits` are what the server has said, if it was asked.
    mutating func sendResumable(_ limits: UploadLimits) async throws -> UploadResult {
        let (_, source) = try singleFile()
        if let sizeMax = limits.sizeMax, Int64(source.range.count) > sizeMax {
            throw UploadError(
                .tooLarge(max: sizeMax), "the server takes no more than \(sizeMax) bytes")
        }
        return try await append(ResumableDialect(limits: limits))
    }
}

/// The IETF's resumable uploads, draft-ietf-httpbis-resumable-upload-11.
///
/// Uploads are created without a byte of content ("careful creation"), so that their URL is known
/// before anything can break off, whatever stands between and drops interim answers.
struct ResumableDialect: UploadDialect {
    let limits: UploadLimits
    let way = Upload.Way.resumable
    let isCompleteWhenEmpty = false

    var partMax: Int64? { limits.appendSizeMax }

    func creation(_ run: UploadRun, _ file: UploadFile, _ source: FileSource) async throws
        -> HTTPClient.Request
    {
        var request = request(run, run.upload.method ?? .put, run.upload.fileURL)
        request.fields[.uploadComplete] = "?0"
        request.fields[.uploadLength] = "\(source.range.count)"
        if !request.fields.contains(.contentType), let type = file.sentType {
            request.fields[.contentType] = "\(type)"
        }
        request.fields[.contentDisposition] = ContentDisposition.inline(named: file.sentName)
        if run.upload.sendsDigest {
            let segments = [HTTPClient.Body.Segment.file(source)]
            let digest = try await run.client.blocking { try ContentDigest.sha256(of: segments) }
            request.fields[.reprDigest] = ContentDigest.field(digest)
        }
        return request
    }

    func question(_ run: UploadRun, _ url: HTTPURL) -> HTTPClient.Request {
        request(run, .head, url)
    }

    func part(_ run: UploadRun, _ url: HTTPURL, _ source: FileSource, isLast: Bool) async throws
        -> HTTPClient.Request
    {
        var request = request(run, .patch, url)
        let segments = [HTTPClient.Body.Segment.file(source)]
        request.body = .segments(segments)
        request.fields[.uploadOffset] = "\(source.range.lowerBound)"
        request.fields[.uploadComplete] = isLast ? "?1" : "?0"
        request.fields[.contentType] = "application/partial-upload"
        if run.upload.sendsDigest {
            let digest = try await run.client.blocking { try ContentDigest.sha256(of: segments) }
            request.fields[.contentDigest] = ContentDigest.field(digest)
        }
        return request
    }

    func standing(_ answer: HTTPClient.Answer, _ total: Int64, _ run: UploadRun)
        -> UploadStanding?
    {
        if answer.fields[.uploadComplete] == "?1" { return .complete }
        return run.offset(answer, upTo: total).map { .at($0) }
    }

    func asksAgain(_ answer: HTTPClient.Answer) -> Bool {
        // §4.4.2: a complete one has been answered by what the upload was for.
        guard answer.fields[.uploadComplete] != "?1" else { return false }
        return answer.status.code == 409 || answer.status.code == 423
    }

    private func request(_ run: UploadRun, _ method: HTTPRequest.Method, _ url: HTTPURL)
        -> HTTPClient.Request
    {
        var request = run.request(method, url)
        request.fields[.uploadDraftInteropVersion] = UploadRun.interopVersion
        return request
    }
}
