import WharfHTTP
package import WharfNet

/// What becomes of an upload's body besides being written; its closures run on the pool.
package struct UploadContent: Sendable {
    /// Whether the body is the whole file.
    package var isWhole = true
    /// When the file was changed last, in nanoseconds since 1970; `nil`: now.
    package var modificationTime: Int64?
    /// Is called before the body is written; may write what comes before it.
    package var begin: @Sendable (FileWriter) throws -> Void = { _ in }
    /// Is shown the body, piece by piece.
    package var observe: (@Sendable (Span<UInt8>) -> Void)?
    /// Is called when the body is whole and has been written; may write what comes after it, and
    /// throws if the file must not be kept.
    package var end: @Sendable (FileWriter) throws -> Void = { _ in }
    /// Is told what the file is, while no other change is made.
    package var placed: @Sendable (FileWriter.Placed) throws -> Void = { _ in }

    /// The body is the file.
    package init() {}
}

/// An upload that has begun.
struct Upload: Sendable {
    let place: NamePlace
    let writer: FileWriter
    let content: UploadContent
    /// What the client has said of the body, or wants to be told of it.
    let digests: RequestDigests?
    /// Whether another request has received the file, which has to be kept if this one fails.
    let isStaged: Bool
    /// Whether it may take the place of another file.
    var replaces = true

    /// A file that has been written.
    init(place: NamePlace, writer: FileWriter) {
        self.place = place
        self.writer = writer
        content = UploadContent()
        digests = nil
        isStaged = false
    }

    /// What comes as the body of a request.
    init(
        place: NamePlace, writer: FileWriter, _ content: UploadContent, _ request: Request,
        isStaged: Bool = false
    ) {
        self.place = place
        self.writer = writer
        self.content = content
        // A part has another digest than the file.
        digests = content.isWhole ? RequestDigests(request) : nil
        self.isStaged = isStaged
        replaces = request.fields[.ifNoneMatch] != "*"
    }

    /// Whether somebody looks at what is written.
    var isObserved: Bool { content.observe != nil || digests != nil }

    func observe(_ bytes: Span<UInt8>) {
        content.observe?(bytes)
        digests?.update(bytes)
    }

    func append(_ bytes: Span<UInt8>) throws(Errno) {
        observe(bytes)
        try writer.write(bytes)
    }
}

/// What became of a file that was written.
package struct StoredUpload: Sendable {
    package let status: FileStatus
    /// Whether nothing had its name before.
    package let isNew: Bool
    /// The value of Repr-Digest, if the client wants one.
    package let digest: String?
}
