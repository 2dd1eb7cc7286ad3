import WharfNet

extension Request {
    /// The path below the prefix that the handler is mounted at, as it was sent.
    ///
    /// It begins with a slash, or is empty if it is the prefix itself, without a slash behind. For a
    /// route that is no mount it is the whole path.
    public var pathBelowMount: Substring {
        // The prefix was found segment by segment, so that many segments are to be dropped.
        var rest = path
        for _ in mountPath.split(separator: "/") {
            rest = rest.dropFirst().drop { $0 != "/" }
        }
        return rest
    }

    /// Runs work that waits for a disk on the server's pool.
    ///
    /// Of several steps in a row each costs two turns of threads, unless they are one piece of work:
    /// what that offloads stays on its thread. Throws what the work throws, and the ``HTTPError`` 503
    /// when the pool is full.
    package func offload<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await exchange.server.run(on: .pool, work)
    }

    /// Seconds since 1970, by the server's clock.
    package var unixTime: Int64 { exchange.server.pool.clock.unixTime() }
}
