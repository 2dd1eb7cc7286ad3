import WharfHTTP
import WharfHTTPClient

/// What a server says it knows of uploads that go on later.
enum UploadOffer: Sendable, Hashable {
    case tus(TusServer)
    case resumable(UploadLimits)
    /// Nothing.
    case none
}

/// What a tus server has said of itself in its answer to OPTIONS.
struct TusServer: Sendable, Hashable {
    var extensions: Set<String> = []
    var checksums: Set<String> = []
    var sizeMax: Int64?

    /// `nil` when the answer is of no server that speaks tus 1.0 and lets clients create uploads.
    init?(_ fields: HTTPFields) {
        let versions = fields.list(.tusVersion) + fields.list(.tusResumable)
        guard versions.contains("1.0.0") else { return nil }
        extensions = Set(fields.list(.tusExtension))
        guard extensions.contains("creation") else { return nil }
        checksums = Set(fields.list(.tusChecksumAlgorithm))
        sizeMax = fields[.tusMaxSize].flatMap { Int64($0) }
    }
}

/// What a server takes of the IETF's resumable uploads: its Upload-Limit field.
struct UploadLimits: Sendable, Hashable {
    var sizeMax: Int64?
    var sizeMin: Int64?
    var appendSizeMax: Int64?
    var appendSizeMin: Int64?

    /// No limits.
    init() {}

    /// `nil` when the field is malformed, and so to be ignored (§4.1.4 of the draft).
    init?(_ value: String) {
        for item in value.split(separator: ",").prefix(32) {
            let pair = item.trimmingSpaces.split(separator: "=", maxSplits: 1)
            guard let key = pair.first else { continue }
            // Parameters of a value mean nothing here.
            let text = pair.count > 1 ? pair[1].prefix { $0 != ";" } : ""
            let number = Int64(text)
            switch key {
            case "max-size", "min-size", "max-append-size", "min-append-size":
                guard let number, number >= 0 else { return nil }
                take(key, number)
            default: continue
            }
        }
    }

    private mutating func take(_ key: Substring, _ number: Int64) {
        switch key {
        case "max-size": sizeMax = number
        case "min-size": sizeMin = number
        case "max-append-size": appendSizeMax = number
        default: appendSizeMin = number
        }
    }
}

extension UploadRun {
    /// Asks the server what it knows; whatever it can't say is nothing.
    func offer() async throws -> UploadOffer {
        var request = request(.options, upload.url)
        request.fields[.uploadDraftInteropVersion] = Self.interopVersion
        let answer = try await ask(request)
        guard answer.isSuccess else { return .none }
        if let server = TusServer(answer.fields) { return .tus(server) }
        if let value = answer.fields[.uploadLimit], let limits = UploadLimits(value) {
            return .resumable(limits)
        }
        return .none
    }

    /// A URL that the server has named for the upload, if the upload may go there.
    ///
    /// What the caller has said for one origin, a password above all, is for no other.
    func uploadURL(_ answer: HTTPClient.Answer) throws -> HTTPURL {
        guard let text = answer.fields[.location] else {
            throw UploadError(
                .brokenProtocol, "the server named no URL for the upload", answer: answer)
        }
        guard let url = try? answer.url.resolving(text) else {
            throw UploadError(
                .brokenProtocol, "the server named an upload's URL that is none", answer: answer)
        }
        let isSame = url.origin == upload.url.origin
        guard isSame || client.configuration.credentials == nil && url.scheme == upload.url.scheme
        else {
            throw UploadError(
                .brokenProtocol, "the server named an upload's URL at another place", answer: answer
            )
        }
        return url
    }

    /// The number of bytes that an answer says the server has; `nil` for what is no such number.
    func offset(_ answer: HTTPClient.Answer, upTo total: Int64) -> Int64? {
        guard let text = answer.fields[.uploadOffset], text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let offset = Int64(text), offset <= total
        else { return nil }
        return offset
    }
}

extension HTTPFields {
    /// The elements of a field that is a list of words.
    fileprivate func list(_ name: HTTPField.Name) -> [String] {
        (self[name] ?? "").split(separator: ",").map { String($0.trimmingSpaces) }
    }
}

extension Substring {
    /// Without spaces and tabs at its ends.
    var trimmingSpaces: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
