import WharfHTTP
import WharfHTTPClient
import WharfNet

/// One upload on its way.
struct UploadRun {
    let client: HTTPClient
    let options: UploadClient.Options
    let upload: Upload
    let files: [(UploadFile, FileSource)]
    let ticker: ProgressTicker
    var retry: Retry
    /// Whether a resumable upload was begun at the server, or one is remembered.
    var hasBegun = false

    /// Bytes of an answer that are kept.
    static let answerMax = 64 * 1024

    init(
        client: HTTPClient, options: UploadClient.Options, upload: Upload,
        files: [(UploadFile, FileSource)], ticker: ProgressTicker
    ) {
        self.client = client
        self.options = options
        self.upload = upload
        self.files = files
        self.ticker = ticker
        retry = Retry(options)
    }

    /// Sends all, by the way that was said or that the server knows.
    mutating func perform() async throws -> UploadResult {
        switch upload.way {
        case .multipart: return try await sendForm()
        case .raw: return try await sendRaw()
        case .tus: return try await sendTus(nil)
        case .resumable:
            return try await sendResumable(UploadLimits())
        case .automatic, .resumableAsOffered: return try await sendAsOffered()
        }
    }

    private mutating func sendAsOffered() async throws -> UploadResult {
        let isOnlyResumable = upload.way == .resumableAsOffered
        guard isOnlyResumable || files.count == 1 && upload.formFields.isEmpty else {
            return try await sendForm()
        }
        switch try await patientOffer() {
        case .tus(let server): return try await sendTus(server)
        case .resumable(let limits): return try await sendResumable(limits)
        case .none where isOnlyResumable: return try await sendUnannounced()
        case .none: return try await sendForm()
        }
    }

    /// By tus to a server that has said nothing: small ones have no answer to OPTIONS.
    private mutating func sendUnannounced() async throws -> UploadResult {
        do {
            return try await sendTus(nil)
        } catch let error as UploadError {
            guard !hasBegun, let answer = error.answer, answer.fields[.tusResumable] == nil
            else {
                throw error
            }
            throw UploadError(
                .notResumable, "the server takes no resumable uploads", answer: answer)
        }
    }

    /// What the server knows, asked for until there is an answer.
    private mutating func patientOffer() async throws -> UploadOffer {
        while true {
            let outcome = await result { [self] in try await offer() }
            switch outcome {
            case .success(let offer): return offer
            case .failure(let error):
                guard let failure = error as? HTTPClientError, failure.isTransient else {
                    throw error
                }
                try await retry.wait(after: UploadError.wrap(failure), on: client)
            }
        }
    }

    /// The one file of an upload that is no form.
    func singleFile() throws -> (file: UploadFile, source: FileSource) {
        guard files.count == 1, let first = files.first, upload.formFields.isEmpty else {
            throw UploadError(.misuse, "one file at a time is sent this way, and no other fields")
        }
        return first
    }

    /// A request with the caller's fields, which are for the upload's origin only.
    func request(_ method: HTTPRequest.Method, _ url: HTTPURL, body: HTTPClient.Body = .none)
        -> HTTPClient.Request
    {
        HTTPClient.Request(
            method, url, fields: url.origin == upload.url.origin ? upload.fields : [:], body: body)
    }

    /// Sends a request, and keeps the beginning of the answer's body.
    func ask(_ request: HTTPClient.Request) async throws -> HTTPClient.Answer {
        try await client.withResponse(to: request) { response in
            var body: [UInt8] = []
            var iterator = response.body.makeAsyncIterator()
            while body.count < Self.answerMax, let piece = try await iterator.next() {
                body += piece.prefix(Self.answerMax - body.count)
            }
            return HTTPClient.Answer(
                head: response.head, url: response.url, interim: response.interim, body: body)
        }
    }
}

extension HTTPClient.Answer {
    /// Whether the status is of the 2xx.
    var isSuccess: Bool { (200..<300).contains(status.code) }

    /// Whether the same request may succeed later: too many of them, or the server is not well.
    var isPassing: Bool { [429, 502, 503, 504].contains(status.code) }

    /// How long the server wants to be left alone (RFC 9110 §10.2.3), if it says so in seconds.
    var retryAfter: Duration? {
        fields[.retryAfter].flatMap { UInt32($0) }.map { .seconds(Int64($0)) }
    }
}
