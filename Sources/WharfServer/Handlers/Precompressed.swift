import WharfHTTP
import WharfNet

/// A file and what lies beside it as `name.gz`: two variants of one resource.
struct Precompressed {
    private let plain: OpenedFile
    private let gzip: OpenedFile

    /// Looks for a variant that is no older than the file; `nil` when there is none.
    ///
    /// With `cachedOnly` it throws `EAGAIN` rather than wait for a disk.
    static func find(_ file: OpenedFile, in root: RootedDirectory, cachedOnly: Bool) throws(Errno)
        -> Precompressed?
    {
        switch root.open(file.path + Array(".gz".utf8), cachedOnly: cachedOnly) {
        case .success(let gzip):
            guard gzip.status.kind == .file,
                gzip.status.modificationTime >= file.status.modificationTime
            else { return nil }
            return Precompressed(plain: file, gzip: gzip)
        case .failure(let error) where cachedOnly && error.isWouldBlock:
            throw error
        case .failure:
            // One that can't be opened is as good as none: there is the file itself.
            return nil
        }
    }

    /// The variant that the client takes.
    ///
    /// Caches are told of the choice on both (RFC 9110 §12.5.5). Each has a version of its own, and
    /// a range counts the bytes as they are sent.
    func response(contentType: String, fields: HTTPFields, for request: Request) -> Response {
        var fields = fields
        fields[.vary] = "Accept-Encoding"
        let accepted = AcceptedEncodings(parsing: request.fields[.acceptEncoding])
        guard accepted.prefers("gzip") else {
            return .file(plain, contentType: contentType, fields: fields)
        }
        fields[.contentEncoding] = "gzip"
        return .file(gzip, contentType: contentType, fields: fields)
    }
}
