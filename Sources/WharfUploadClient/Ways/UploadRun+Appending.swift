import WharfHTTP
import WharfHTTPClient
import WharfNet

/// One upload at a server: how it is begun, asked for and gone on with, in a protocol's words.
protocol UploadDialect: Sendable {
    var way: Upload.Way { get }

    /// The request that begins an upload.
    func creation(_ run: UploadRun, _ file: UploadFile, _ source: FileSource) async throws
        -> HTTPClient.Request

    /// The request that asks how far an upload is.
    func question(_ run: UploadRun, _ url: HTTPURL) -> HTTPClient.Request

    /// The request that sends a part of the file; `isLast` when it ends there.
    func part(_ run: UploadRun, _ url: HTTPURL, _ source: FileSource, isLast: Bool) async throws
        -> HTTPClient.Request

    /// Whether an upload of nothing is complete with its creation.
    var isCompleteWhenEmpty: Bool { get }

    /// The longest part, if the server has said so.
    var partMax: Int64? { get }

    /// What an answer to a question says: the offset, or that the upload is complete.
    func standing(_ answer: HTTPClient.Answer, _ total: Int64, _ run: UploadRun) -> UploadStanding?

    /// Whether an answer to a part tells that the offset was wrong, or the part got spoilt.
    func asksAgain(_ answer: HTTPClient.Answer) -> Bool
}

/// How far an upload is.
enum UploadStanding: Sendable, Hashable {
    case at(Int64)
    case complete
}

/// Uploads that go on where they broke off.
extension UploadRun {
    /// Uploads that are begun anew because the server has forgotten them.
    private static let beginningMax = 3

    /// Begins an upload, or goes on with one that is remembered, until all is there.
    mutating func append(_ dialect: some UploadDialect) async throws -> UploadResult {
        let (file, source) = try singleFile()
        let total = Int64(source.range.count)
        ticker.setTotal(total)
        let memory = UploadMemory(options.memoryPath, client)
        let key = UploadMemory.key(source, upload.url, dialect.way)
        var url = try await memory.url(for: key)
        if let known = url, known.origin != upload.url.origin { url = nil }
        var beginningCount = 0
        var sent = SentCount()
        while true {
            if url == nil {
                beginningCount += 1
                guard beginningCount <= Self.beginningMax else {
                    throw UploadError(.forgotten, "the server forgets the upload again and again")
                }
                let (begun, answer) = try await begin(dialect, file, source)
                if total == 0, dialect.isCompleteWhenEmpty {
                    return UploadResult(
                        answer: answer, way: dialect.way, sentCount: 0, firstOffset: 0,
                        retryCount: retry.count, uploadURL: begun)
                }
                url = begun
                try await memory.keep(begun, for: key)
                sent.isFresh = true
            }
            guard let present = url else { continue }
            hasBegun = true
            if let answer = try await goOn(dialect, present, source, &sent) {
                try await memory.forget(key)
                return UploadResult(
                    answer: answer, way: dialect.way, sentCount: sent.count,
                    firstOffset: sent.firstOffset ?? 0, retryCount: retry.count, uploadURL: present)
            }
            // The server knows nothing of it any more.
            try await memory.forget(key)
            url = nil
            sent = SentCount(count: sent.count)
        }
    }

    /// What was sent in this run, and where it began.
    struct SentCount {
        var count: Int64 = 0
        var firstOffset: Int64?
        /// Whether the upload was begun just now, so that nothing of it is there.
        var isFresh = false
    }

    private mutating func begin(
        _ dialect: some UploadDialect, _ file: UploadFile, _ source: FileSource
    ) async throws -> (HTTPURL, HTTPClient.Answer) {
        while true {
            let request = try await dialect.creation(self, file, source)
            let outcome = await result { [self] in try await ask(request) }
            switch outcome {
            case .success(let answer) where answer.isSuccess:
                return (try uploadURL(answer), answer)
            case .success(let answer):
                guard answer.isPassing else { throw UploadError.refused(answer) }
                try await retry.wait(
                    after: .refused(answer), on: client, wanted: answer.retryAfter)
            case .failure(let error):
                guard let failure = error as? HTTPClientError, failure.isTransient else {
                    throw error
                }
                try await retry.wait(after: UploadError.wrap(failure), on: client)
            }
        }
    }

    /// Sends what is missing; `nil` when the server has forgotten the upload.
    private mutating func goOn(
        _ dialect: some UploadDialect, _ url: HTTPURL, _ source: FileSource, _ sent: inout SentCount
    ) async throws -> HTTPClient.Answer? {
        let total = Int64(source.range.count)
        var offset: Int64? = sent.isFresh ? 0 : nil
        sent.isFresh = false
        var best: Int64 = -1
        var stuckCount = 0
        while true {
            guard let start = offset else {
                switch try await stand(dialect, url, total) {
                case .forgotten: return nil
                case .complete(let answer): return answer
                case .at(let found): offset = found
                }
                continue
            }
            if start > best {
                retry.noteProgress()
                stuckCount = 0
            }
            best = max(best, start)
            sent.firstOffset = sent.firstOffset ?? start
            switch try await sendPart(dialect, url, source, start, &sent) {
            case .complete(let answer): return answer
            case .at(let next): offset = next
            case .forgotten: return nil
            case .unknown: offset = nil
            case .stuck(let answer):
                stuckCount += 1
                guard stuckCount < options.failureMax else {
                    throw UploadError(
                        .brokenProtocol, "the server takes parts, and says that it has not",
                        answer: answer)
                }
                offset = nil
            }
        }
    }

    private enum PartOutcome {
        case complete(HTTPClient.Answer)
        case at(Int64)
        case forgotten
        /// The server has to be asked how far it is.
        case unknown
        /// The server is content, and does not say that it has more.
        case stuck(HTTPClient.Answer)
    }

    private enum Standing {
        case complete(HTTPClient.Answer)
        case at(Int64)
        case forgotten
    }

    private mutating func stand(
        _ dialect: some UploadDialect, _ url: HTTPURL, _ total: Int64
    ) async throws -> Standing {
        while true {
            let request = dialect.question(self, url)
            let outcome = await result { [self] in try await ask(request) }
            switch outcome {
            case .success(let answer) where answer.isSuccess:
                switch dialect.standing(answer, total, self) {
                case .complete?: return .complete(answer)
                case .at(let offset)?: return .at(offset)
                case nil:
                    throw UploadError(
                        .brokenProtocol, "the server does not say how far the upload is",
                        answer: answer)
                }
            case .success(let answer):
                if [403, 404, 410].contains(answer.status.code) { return .forgotten }
                guard answer.isPassing || answer.status.code == 423 || answer.status.code == 409
                else { throw UploadError.refused(answer) }
                try await retry.wait(
                    after: .refused(answer), on: client, wanted: answer.retryAfter)
            case .failure(let error):
                guard let failure = error as? HTTPClientError, failure.isTransient else {
                    throw error
                }
                try await retry.wait(after: UploadError.wrap(failure), on: client)
            }
        }
    }

    private mutating func sendPart(
        _ dialect: some UploadDialect, _ url: HTTPURL, _ source: FileSource, _ start: Int64,
        _ sent: inout SentCount
    ) async throws -> PartOutcome {
        let total = Int64(source.range.count)
        let most = min(dialect.partMax ?? .max, options.chunkSize ?? .max)
        let end = total - start <= max(most, 1) ? total : start + max(most, 1)
        let part = source.part(start..<end)
        try await client.blocking { try source.checkUnchanged() }
        var request = try await dialect.part(self, url, part, isLast: end == total)
        request.progress = ticker.begin(at: start)
        let outcome = await result { [self] in try await ask(request) }
        sent.count += ticker.sentCount
        switch outcome {
        case .success(let answer) where answer.isSuccess:
            if end == total { return .complete(answer) }
            // A server that says nothing new is asked, one that says nonsense as well.
            guard let next = offset(answer, upTo: total), next > start else {
                return .stuck(answer)
            }
            return .at(next)
        case .success(let answer):
            if answer.status.code == 404 || answer.status.code == 410 { return .forgotten }
            guard dialect.asksAgain(answer) || answer.isPassing else {
                throw UploadError.refused(answer)
            }
            try await retry.wait(after: .refused(answer), on: client, wanted: answer.retryAfter)
            return .unknown
        case .failure(let error):
            guard let failure = error as? HTTPClientError, failure.isTransient else { throw error }
            try await retry.wait(after: UploadError.wrap(failure), on: client)
            return .unknown
        }
    }
}
