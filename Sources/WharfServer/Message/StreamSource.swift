import WharfHTTP

/// A body that a closure writes while it is sent.
///
/// It is an object so that responses, which are copied often, stay small.
final class StreamSource: Sendable {
    /// Bytes that the closure is going to write; `nil` when nobody knows.
    let length: Int64?
    /// How long it may be silent before a comment is sent in its place; `nil`: for ever.
    let heartbeat: Duration?
    /// It is meant to last until the client leaves, and ends without a fault then.
    let isEndless: Bool
    /// How it is compressed on its way; `nil`: not at all.
    let encoding: Encoding?
    let write: @Sendable (HTTPBodyWriter) async throws -> Void

    struct Encoding {
        let coding: ContentCoding
        let level: Int
    }

    init(
        length: Int64? = nil, heartbeat: Duration? = nil, isEndless: Bool = false,
        encoding: Encoding? = nil,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) {
        self.length = length
        self.heartbeat = heartbeat
        self.isEndless = isEndless
        self.encoding = encoding
        self.write = write
    }

    /// Bytes that are sent; `nil` when nobody knows.
    var sentLength: Int64? { encoding == nil ? length : nil }

    /// The same, compressed on its way.
    func encoded(with coding: ContentCoding, level: Int) -> StreamSource {
        StreamSource(
            length: length, heartbeat: heartbeat, isEndless: isEndless,
            encoding: Encoding(coding: coding, level: level), write)
    }
}
