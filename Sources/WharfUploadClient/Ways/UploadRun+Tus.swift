import WharfCrypto
import WharfHTTP
import WharfHTTPClient
import WharfNet

extension UploadRun {
    /// By tus; `server` is what it has said of itself, if it was asked.
    mutating func sendTus(_ server: TusServer?) async throws -> UploadResult {
        let (_, source) = try singleFile()
        if let sizeMax = server?.sizeMax, Int64(source.range.count) > sizeMax {
            throw UploadError(
                .tooLarge(max: sizeMax), "the server takes no more than \(sizeMax) bytes")
        }
        var checksum: TusDialect.Checksum?
        if upload.sendsDigest, let server {
            checksum =
                server.checksums.contains("sha256")
                ? .init("sha256", .sha256)
                : server.checksums.contains("sha1") ? .init("sha1", .sha1) : nil
        }
        return try await append(TusDialect(checksum: checksum))
    }
}

/// tus 1.0.
struct TusDialect: UploadDialect {
    /// A hash function that the server knows.
    struct Checksum: Sendable {
        let name: String
        let algorithm: HashAlgorithm

        init(_ name: String, _ algorithm: HashAlgorithm) {
            self.name = name
            self.algorithm = algorithm
        }
    }

    let checksum: Checksum?
    let way = Upload.Way.tus
    let isCompleteWhenEmpty = true

    /// With checksums each part is read twice, and sent anew when it got spoilt: not all at once.
    var partMax: Int64? { checksum == nil ? nil : 32 << 20 }

    func creation(_ run: UploadRun, _ file: UploadFile, _ source: FileSource) async throws
        -> HTTPClient.Request
    {
        var request = request(run, .post, run.upload.url)
        request.fields[.uploadLength] = "\(source.range.count)"
        var metadata = [("filename", file.sentName)]
        if let type = file.sentType { metadata.append(("filetype", "\(type)")) }
        request.fields[.uploadMetadata] = metadata.map { key, value in
            "\(key) \(Base64.encode(Array(value.utf8)))"
        }.joined(separator: ",")
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
        request.fields[.contentType] = "application/offset+octet-stream"
        if let checksum {
            let digest = try await run.client.blocking {
                try ContentDigest.digest(checksum.algorithm, of: segments)
            }
            request.fields[.uploadChecksum] = "\(checksum.name) \(Base64.encode(digest))"
        }
        return request
    }

    func standing(_ answer: HTTPClient.Answer, _ total: Int64, _ run: UploadRun)
        -> UploadStanding?
    {
        guard let offset = run.offset(answer, upTo: total) else { return nil }
        return offset == total ? .complete : .at(offset)
    }

    func asksAgain(_ answer: HTTPClient.Answer) -> Bool {
        // The offset was wrong, somebody has the upload, or the checksum did not match.
        [409, 423, 460].contains(answer.status.code)
    }

    private func request(_ run: UploadRun, _ method: HTTPRequest.Method, _ url: HTTPURL)
        -> HTTPClient.Request
    {
        var request = run.request(method, url)
        request.fields[.tusResumable] = "1.0.0"
        return request
    }
}
