import WharfNet

/// The body of a request: a sequence of pieces that can be read once, as they arrive.
///
/// It is valid until the response has ended; reading later throws ``HTTPExchangeError``. Nothing
/// is read from the client before somebody asks for it, so a slow reader slows the sender down.
/// A body that ends early, breaks the framing or stalls throws and never looks complete.
public struct HTTPBody: AsyncSequence, Sendable {
    /// A piece of the body, never empty.
    public typealias Element = [UInt8]

    fileprivate enum Source {
        case none
        case connection(RequestBody)
        /// With where what blocks is run.
        case memory(MemoryBody, BlockingPool)

        func next() async throws -> [UInt8]? {
            switch self {
            case .none: nil
            case .connection(let body): try await body.next()
            case .memory(let body, _): try body.next()
            }
        }
    }

    private let source: Source

    /// The empty body.
    public static let empty = HTTPBody(source: nil)

    init(source: RequestBody?) {
        self.source = source.map { .connection($0) } ?? .none
    }

    init(memory: MemoryBody?, pool: BlockingPool) {
        source = memory.map { .memory($0, pool) } ?? .none
    }

    /// The length in bytes that the client announced; 0 without a body, `nil` when chunked.
    public var length: Int64? {
        switch source {
        case .none: 0
        case .connection(let body): body.length
        case .memory(let body, _): body.length
        }
    }

    /// Reads all of it into memory.
    ///
    /// Throws ``HTTPBodyTooLarge`` as soon as it is known to be longer than `byteCountMax`.
    public func collect(upTo byteCountMax: Int) async throws -> [UInt8] {
        if let length, length > byteCountMax {
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

    /// Hands it over in large blocks to a closure that may block, while more of it is received.
    ///
    /// Throws what the closure throws, or why the body can't be had whole.
    func relay(to sink: @escaping BlockRelay.Sink) async throws {
        switch source {
        case .none: return
        case .connection(let body): try await body.relay(to: sink)
        case .memory(let body, let pool):
            while let piece = try body.next() {
                try await pool.run { try sink(piece.span) }
            }
        }
    }

    /// Where what blocks is run; `nil` without a body.
    var pool: BlockingPool? {
        switch source {
        case .none: nil
        case .connection(let body): body.loop.pool
        case .memory(_, let pool): pool
        }
    }

    /// Starts to read, or goes on where another iterator stopped.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source)
    }

    /// Hands out the pieces of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: Source

        /// The next piece, or `nil` after the last.
        ///
        /// Throws when the body can't be had whole.
        public mutating func next() async throws -> [UInt8]? {
            try await source.next()
        }
    }
}
