/// The body of a request: a sequence of pieces that can be read once, as they arrive.
///
/// It is valid until the response has ended; reading later throws ``HTTPExchangeError``. Nothing
/// is read from the client before somebody asks for it, so a slow reader slows the sender down.
/// A body that ends early, breaks the framing or stalls throws and never looks complete.
public struct HTTPBody: AsyncSequence, Sendable {
    /// A piece of the body, never empty.
    public typealias Element = [UInt8]

    private let source: RequestBody?

    /// The empty body.
    public static let empty = HTTPBody(source: nil)

    init(source: RequestBody?) {
        self.source = source
    }

    /// The length in bytes that the client announced; 0 without a body, `nil` when chunked.
    public var length: Int64? { source == nil ? 0 : source?.length }

    /// Reads all of it into memory.
    ///
    /// Throws ``HTTPBodyTooLarge`` as soon as it is known to be longer than `byteCountMax`.
    public func collect(upTo byteCountMax: Int) async throws -> [UInt8] {
        guard let source else { return [] }
        if let length = source.length, length > byteCountMax {
            throw HTTPBodyTooLarge(byteCountMax: Int64(byteCountMax))
        }
        var all: [UInt8] = []
        while let piece = try await source.next() {
            guard all.count + piece.count <= byteCountMax else {
                throw HTTPBodyTooLarge(byteCountMax: Int64(byteCountMax))
            }
            all.append(contentsOf: piece)
        }
        return all
    }

    /// Starts to read, or goes on where another iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    /// Hands out the pieces of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: RequestBody?

        /// The next piece, or `nil` after the last.
        ///
        /// Throws when the body can't be had whole.
        public mutating func next() async throws -> [UInt8]? {
            try await source?.next()
        }
    }
}
