public import WharfNet

extension HTTPServer {
    /// Replaces the identities of a server with ``Configuration/tls``, as when a certificate was
    /// renewed.
    ///
    /// Connections that are open go on with what they have, those that come get the new ones, and no
    /// request fails; sessions that clients hold can still be resumed. Throws ``WharfNet/TLSError``
    /// when the identities can't be used, or the server was made without TLS: then nothing changes.
    public func reload(_ identities: [TLSIdentity]) throws(TLSError) {
        guard let security else {
            throw TLSError(.badSetting, "the server was made without TLS")
        }
        try security.reload(identities)
    }

    /// The addresses whose connections are secured.
    public var secureAddresses: [SocketAddress] {
        security == nil ? [] : Array(addresses.prefix(secureCount))
    }
}
