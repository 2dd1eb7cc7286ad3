public import WharfHTTP
public import WharfHTTPClient

/// What came of an upload that has succeeded.
public struct UploadResult: Sendable, Hashable {
    /// The server's answer, which is of the 2xx; its body is cut at 64 KiB.
    public let answer: HTTPClient.Answer
    /// The way that was taken.
    public let way: Upload.Way
    /// Bytes that were sent, without those that the server had from an earlier run.
    public let sentCount: Int64
    /// Where this run began in the file: more than 0 when an earlier one had broken off.
    public let firstOffset: Int64
    /// How often it had to begin again or go on.
    public let retryCount: Int
    /// The resumable upload's own URL; `nil` for other ways.
    public let uploadURL: HTTPURL?

    /// The status.
    public var status: HTTPResponse.Status { answer.status }
}
