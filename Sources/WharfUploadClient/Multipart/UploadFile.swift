public import WharfHTTP

/// A file that is to be sent, and what is said of it.
public struct UploadFile: Sendable, Hashable {
    /// Where it lies.
    public var path: String
    /// The name that the server is told; `nil`: the last part of the path.
    public var fileName: String?
    /// The name of its field in a form; `nil`: that of the upload.
    public var fieldName: String?
    /// What its content is; `nil`: what its name tells.
    public var contentType: MediaType?

    /// A file.
    public init(
        _ path: String, fileName: String? = nil, fieldName: String? = nil,
        contentType: MediaType? = nil
    ) {
        self.path = path
        self.fileName = fileName
        self.fieldName = fieldName
        self.contentType = contentType
    }

    /// The name that the server is told.
    public var sentName: String {
        fileName ?? path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The type that the server is told, without a charset: what a file is in is not known.
    public var sentType: MediaType? {
        if let contentType { return contentType }
        var map = MediaTypeMap()
        map.textCharset = nil
        return MediaType(map.contentType(forFileName: sentName))
    }
}
