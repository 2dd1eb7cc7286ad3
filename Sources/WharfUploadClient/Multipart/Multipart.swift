import WharfCrypto
import WharfHTTP
public import WharfHTTPClient

/// A form with files, as a browser sends it: `multipart/form-data` (RFC 7578).
///
///     let form = try Multipart(fields: [("note", "hi")], files: [UploadFile("a.zip")])
///     request.fields[.contentType] = form.contentType
///     request.body = form.body
///
/// The files are opened at once and read while they are sent, so the form costs no memory, whatever
/// their size. Names are escaped as WHATWG HTML says: `"` is `%22`, CR `%0D`, LF `%0A`.
public struct Multipart: Sendable {
    /// What separates the parts.
    public let boundary: String
    /// The value of Content-Type that goes with the body.
    public let contentType: String
    /// The pieces of the body, in their order.
    package let segments: [HTTPClient.Body.Segment]

    /// A form of some fields and then some files.
    ///
    /// The boundary is 128 random bits, which no file holds but by a chance that never comes; one that
    /// is given instead may be up to 70 characters of RFC 2046, and is the caller's to choose so that
    /// no part holds it. Throws ``MultipartFormError``, and ``HTTPClientError`` for a file that can't be
    /// read. It may wait for a disk.
    public init(
        fields: [(name: String, value: String)] = [], files: [UploadFile] = [],
        fieldName: String = "file", boundary text: String? = nil
    ) throws {
        var sources: [FileSource] = []
        for file in files { sources.append(try FileSource(file.path)) }
        try self.init(
            fields: fields, files: Array(zip(files, sources)), fieldName: fieldName, boundary: text)
    }

    package init(
        fields: [(name: String, value: String)], files: [(UploadFile, FileSource)],
        fieldName: String, boundary text: String?
    ) throws {
        let made =
            text.map { MultipartBoundary($0) }
            ?? MultipartSerializer.boundary(random: Random.bytes(16))
        guard let made else { throw MultipartFormError.boundary }
        var serializer = MultipartSerializer(boundary: made)
        var segments: [HTTPClient.Body.Segment] = []
        for field in fields {
            let value = Array(field.value.utf8)
            guard !value.contains(Array("\r\n--\(made.text)".utf8)) else {
                throw MultipartFormError.boundary
            }
            segments.append(.bytes(serializer.partHead(name: field.name) + value))
        }
        for (file, source) in files {
            let head = serializer.partHead(
                name: file.fieldName ?? fieldName, fileName: file.sentName,
                contentType: file.sentType)
            segments.append(.bytes(head))
            segments.append(.file(source))
        }
        segments.append(.bytes(serializer.end))
        self.segments = segments
        boundary = made.text
        contentType = serializer.contentType
    }

    /// Bytes of the whole body.
    public var byteCount: Int64 { segments.reduce(0) { $0 + $1.count } }

    /// The body, to be sent as often as need be.
    public var body: HTTPClient.Body { .segments(segments) }
}

/// Why a form can't be made.
public enum MultipartFormError: Error, Sendable, Hashable {
    /// The boundary is none (RFC 2046 §5.1.1), or a field holds it.
    case boundary
}

extension [UInt8] {
    /// Whether these bytes occur in a row.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...(count - part.count)).contains {
            self[$0..<($0 + part.count)].elementsEqual(part)
        }
    }
}
