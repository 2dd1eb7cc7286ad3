extension HTTPClient {
    /// What is sent behind the head of a request.
    ///
    /// Its length is known before it is sent, but for some streams: those are sent in chunks.
    public struct Body: Sendable {
        package enum Segment: Sendable {
            case bytes([UInt8])
            case file(FileSource)

            var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

            package var count: Int64 {
                switch self {
                case .bytes(let bytes): Int64(bytes.count)
                case .file(let source): Int64(source.range.count)
                }
            }
        }

        enum Content: Sendable {
            case none
            case segments([Segment])
            case stream(
                length: Int64?, isRepeatable: Bool,
                @Sendable (BodyWriter) async throws -> Void)
        }

        let content: Content

        /// No body.
        public static let none = Body(content: .none)

        /// These bytes.
        public static func bytes(_ bytes: [UInt8]) -> Body { segments([.bytes(bytes)]) }

        /// This text in UTF-8.
        public static func text(_ text: String) -> Body { bytes(Array(text.utf8)) }

        /// A file as it is now; it is opened at once, and read while it is sent.
        ///
        /// Throws ``HTTPClientError`` with ``HTTPClientError/Kind/fileUnreadable`` when it can't be
        /// opened or is no plain file. It may wait for a disk.
        public static func file(_ path: String) throws -> Body {
            segments([.file(try FileSource(path))])
        }

        /// What a closure writes, piece by piece; it waits when the server is slow to take it.
        ///
        /// `length` is in bytes; when it is not known the body is sent in chunks. The closure is
        /// called once for each time the body is sent: only one that can write the same again is
        /// repeatable, and else a redirect that keeps the body, or a login, may fail.
        public static func stream(
            length: Int64? = nil, isRepeatable: Bool = false,
            _ write: @escaping @Sendable (BodyWriter) async throws -> Void
        ) -> Body {
            Body(content: .stream(length: length, isRepeatable: isRepeatable, write))
        }

        /// Pieces one after the other, some of them in files.
        package static func segments(_ segments: [Segment]) -> Body {
            Body(content: .segments(segments))
        }

        /// Its length in bytes; `nil` when it is not known.
        public var length: Int64? {
            switch content {
            case .none: 0
            case .segments(let segments): segments.reduce(0) { $0 + $1.count }
            case .stream(let length, _, _): length
            }
        }

        var isNone: Bool { if case .none = content { true } else { false } }

        var isRepeatable: Bool {
            if case .stream(_, let isRepeatable, _) = content { isRepeatable } else { true }
        }
    }
}
