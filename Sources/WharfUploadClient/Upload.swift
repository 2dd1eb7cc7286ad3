public import WharfHTTP

/// What is to be uploaded, where, and how.
public struct Upload: Sendable {
    /// The ways to send files.
    public enum Way: Sendable, Hashable {
        /// Resumable if the server says that it knows how, else a form.
        case automatic
        /// Resumable, as the server says that it knows how; else ``UploadError/Kind/notResumable``.
        case resumableAsOffered
        /// As a form, all files in one request.
        case multipart
        /// The file as the body of one request.
        case raw
        /// tus 1.0: goes on where it broke off.
        case tus
        /// The IETF's resumable uploads: goes on where it broke off.
        case resumable
    }

    /// Where to.
    ///
    /// With a slash at its end a single file's name is added for `raw` and `resumable`.
    public var url: HTTPURL
    /// What to send; one file, unless the way is `multipart`.
    public var files: [UploadFile]
    /// The way.
    public var way: Way
    /// The method; `nil`: POST for forms, PUT for others.
    public var method: HTTPRequest.Method?
    /// Text fields of the form, before the files.
    public var formFields: [(name: String, value: String)] = []
    /// The name of the files' fields, unless a file has its own.
    public var fieldName = "file"
    /// The boundary of the form; `nil`: a random one.
    public var boundary: String?
    /// Fields for each request; for an origin that the server names beside its own they are left out.
    public var fields: HTTPFields = [:]
    /// Whether digests go along, SHA-256 (RFC 9530, or tus' checksum), which read the file once more.
    public var sendsDigest = false

    /// An upload.
    public init(_ url: HTTPURL, files: [UploadFile], way: Way = .automatic) {
        self.url = url
        self.files = files
        self.way = way
    }

    /// Where a single file goes: with its name behind a slash at the end of the path.
    var fileURL: HTTPURL {
        let path = url.path
        guard path.hasSuffix("/"), let file = files.first else { return url }
        let query = url.target.dropFirst(path.count)
        return url.with(
            target: path + PercentEncoding.encode(file.sentName, for: .pathSegment) + query)
    }
}
