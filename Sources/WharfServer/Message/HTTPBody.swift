package import WharfNet

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
        case memory(PooledBody)
        case staged(StagedBody)
        case untouchable

        func next() async throws -> [UInt8]? {
            switch self {
            case .none: nil
            case .connection(let body): try await body.next()
            case .memory(let pooled): try pooled.body.next()
            case .staged(let body): try await body.next()
            case .untouchable: throw UntouchableBody()
            }
        }
    }

    private let source: Source

    /// The empty body.
    public static let empty = HTTPBody(source: nil)

    /// A body that is not there yet: who asks for any of it gets ``UntouchableBody`` thrown.
    package static let untouchable = HTTPBody(.untouchable)

    private init(_ source: Source) {
        self.source = source
    }

    init(source: RequestBody?) {
        self.source = source.map { .connection($0) } ?? .none
    }

    init(memory: MemoryBody?, pool: BlockingPool) {
        source = memory.map { .memory(PooledBody($0, pool)) } ?? .none
    }

    /// A body that was received before, and lies in a file.
    package init(staged body: StagedBody) {
        source = .staged(body)
    }

    /// What reads it from a connection.
    var connectionBody: RequestBody? {
        if case .connection(let body) = source { body } else { nil }
    }

    /// The file that holds it, if it was received before.
    var staged: StagedBody? { if case .staged(let body) = source { body } else { nil } }

    /// The length in bytes that the client announced; 0 without a body, `nil` when chunked.
    public var length: Int64? {
        switch source {
        case .none: 0
        case .connection(let body): body.length
        case .memory(let pooled): pooled.body.length
        case .staged(let body): body.writer.byteCount
        case .untouchable: nil
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
    /// No more is received once `isDone` says so, though there may be more. With `keepsRest` what has
    /// come of a body before it broke off is handed over, too. Throws what the closure throws, or
    /// why the body can't be had whole.
    package func relay(
        keepsRest: Bool = false, to sink: @escaping BlockRelay.Sink,
        until isDone: @escaping @Sendable () -> Bool = { false }
    ) async throws {
        switch source {
        case .none: return
        case .untouchable: throw UntouchableBody()
        case .connection(let body):
            try await body.relay(keepsRest: keepsRest, to: sink, until: isDone)
        case .staged(let body): try await body.pool.run { try body.writer.forEachBlock(sink) }
        case .memory(let pooled):
            while !isDone(), let piece = try pooled.body.next() {
                try await pooled.pool.run { try sink(piece.span) }
            }
        }
    }

    /// Where what blocks is run; `nil` without a body.
    var pool: BlockingPool? {
        switch source {
        case .none, .untouchable: nil
        case .connection(let body): body.loop.pool
        case .memory(let pooled): pooled.pool
        case .staged(let body): body.pool
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

/// A body from memory, and where what blocks is run.
///
/// One object, as each copy of a request copies what its body is.
private final class PooledBody: Sendable {
    let body: MemoryBody
    let pool: BlockingPool

    init(_ body: MemoryBody, _ pool: BlockingPool) {
        self.body = body
        self.pool = pool
    }
}

/// Somebody wants to read a body that is not there yet.
package struct UntouchableBody: Error {
    package init() {}
}
