package import WharfNet

/// The body of a response.
public struct ResponseBody: Sendable {
    enum Storage: Sendable {
        case empty
        case bytes([UInt8])
        case string(String)
        case file([FileSlice])
        case stream(StreamSource)
        case upgrade(@Sendable (UpgradedStream) async throws -> Void)
    }

    let storage: Storage

    init(_ storage: Storage) {
        self.storage = storage
    }

    /// No body.
    public static let empty = ResponseBody(.empty)

    /// These bytes.
    public static func bytes(_ bytes: [UInt8]) -> ResponseBody { ResponseBody(.bytes(bytes)) }

    /// A text in UTF-8.
    public static func string(_ text: String) -> ResponseBody { ResponseBody(.string(text)) }

    /// Bytes that a closure writes while they are sent.
    ///
    /// With a `length` exactly that many bytes are to be written; without one the body is chunked,
    /// or ends with the connection for a client of HTTP/1.0. A closure that throws cuts the
    /// connection, so that the client sees a broken body and not a short one. The closure isn't
    /// run for HEAD. It runs where the route's handler runs.
    public static func stream(
        length: Int64? = nil, _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> ResponseBody {
        ResponseBody(.stream(StreamSource(length: length, write)))
    }

    /// Parts of files with bytes around them, sent without a copy through memory.
    package static func file(_ slices: [FileSlice]) -> ResponseBody { ResponseBody(.file(slices)) }

    var isUpgrade: Bool {
        if case .upgrade = storage { true } else { false }
    }

    /// Bytes, where that is known before it is sent.
    public var length: Int64? {
        switch storage {
        case .empty: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .string(let text): Int64(text.utf8.count)
        case .file(let slices):
            slices.reduce(0) { $0 + Int64($1.prefix.count) + Int64($1.span?.range.count ?? 0) }
        case .stream(let source): source.sentLength
        case .upgrade: nil
        }
    }
}

/// Bytes, and then a part of a file.
package struct FileSlice: Sendable {
    /// Sent before the part: the head of a range in `multipart/byteranges`, mostly empty.
    package var prefix: [UInt8]
    /// The part; `nil` when there are only bytes.
    package var span: FileSpan?

    package init(prefix: [UInt8] = [], span: FileSpan?) {
        self.prefix = prefix
        self.span = span
    }
}
