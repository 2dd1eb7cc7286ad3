import WharfHTTP
public import WharfHTTPClient

/// Why an upload has failed.
public struct UploadError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The server has answered with another status than 2xx: see ``UploadError/answer``.
        case refused
        /// There was no answer, after all tries.
        case network(HTTPClientError)
        /// A file can't be read, or has changed since the upload began.
        case file(HTTPClientError)
        /// The server takes no uploads that go on later.
        case notResumable
        /// The server takes files up to so many bytes, and this one is larger.
        case tooLarge(max: Int64)
        /// The server's answer breaks the protocol of resumable uploads.
        case brokenProtocol
        /// The server has forgotten the upload again and again.
        case forgotten
        /// The upload is no such thing: no file, or several where one is sent.
        case misuse
    }

    /// What went wrong.
    public let kind: Kind
    /// One line for people.
    public let reason: String
    /// The answer that was no success; its body is cut at 64 KiB.
    public let answer: HTTPClient.Answer?

    init(_ kind: Kind, _ reason: String, answer: HTTPClient.Answer? = nil) {
        self.kind = kind
        self.reason = reason
        self.answer = answer
    }

    /// An answer that is no success.
    static func refused(_ answer: HTTPClient.Answer) -> UploadError {
        UploadError(.refused, "the server answered \(answer.status.code)", answer: answer)
    }

    /// What an error of the client means for an upload.
    static func wrap(_ error: HTTPClientError) -> UploadError {
        switch error.kind {
        case .fileChanged, .fileUnreadable: UploadError(.file(error), error.reason)
        default: UploadError(.network(error), "\(error)")
        }
    }
}

extension UploadError: CustomStringConvertible {
    /// The reason.
    public var description: String { reason }
}
