import WharfNet

/// How a server's connections are secured; it can change while the server runs.
final class ServerSecurity: Sendable {
    private let state: Locked<TLSServer>

    /// Throws when the identities or settings can't be used.
    init(_ configuration: TLSServerConfiguration) throws(TLSError) {
        state = Locked(try TLSServer(configuration))
    }

    /// What the next connection is secured with.
    var current: TLSServer { state.withLock { $0 } }

    /// Replaces the identities for connections that come from now on.
    func reload(_ identities: [TLSIdentity]) throws(TLSError) {
        // Made before anything is locked: keys take time to check. Who reloads twice at once gets
        // one of both.
        let next = try current.replacing(identities)
        state.withLock { $0 = next }
    }
}
