import WharfNet

/// What TLS needs, made once, at the first connection that wants it: the system's authorities are
/// many, and reading them takes tens of milliseconds.
final class ClientSecrets: Sendable {
    private let made = Locked<TLSClient?>(nil)
    /// Held while they are read, by threads of the pool only.
    private let making = Turn()

    /// Ready to secure connections; waits for the pool if it has to be made.
    ///
    /// Throws ``TLSError``, and what the pool throws.
    func client(
        _ configuration: TLSClientConfiguration, on pool: BlockingPool
    ) async throws -> TLSClient {
        if let client = made.withLock({ $0 }) { return client }
        return try await pool.run { [self] in try make(configuration) }
    }

    /// Others that come meanwhile wait for the same one.
    private func make(_ configuration: TLSClientConfiguration) throws -> TLSClient {
        try making.take {
            if let client = made.withLock({ $0 }) { return client }
            let client = try TLSClient(configuration)
            made.withLock { $0 = client }
            return client
        }
    }
}
