import WharfNet

/// What TLS needs, made at the first connection that wants it: the system's authorities are many.
final class ClientSecrets: Sendable {
    private let made = Locked<TLSClient?>(nil)

    /// Ready to secure connections.
    ///
    /// Throws ``TLSError``.
    func client(_ configuration: TLSClientConfiguration) throws -> TLSClient {
        try made.withLock { made in
            if let made { return made }
            let client = try TLSClient(configuration)
            made = client
            return client
        }
    }
}
