import WharfHTTP

/// How a client logs in to its proxy while it asks for one way (RFC 9110 §11.7).
struct ProxyLogin {
    private var authenticator: ClientAuthenticator?
    private var sent = ClientAuthenticator.Sent.nothing
    private var count = 0

    /// The second challenge may say that a nonce is stale.
    private static let countMax = 3

    init(_ credentials: ClientCredentials?) {
        authenticator = credentials.map { ClientAuthenticator($0) }
    }

    /// The value of Proxy-Authorization for a CONNECT to that authority.
    mutating func value(_ authority: String) -> String? {
        guard let (value, sent) = authenticator?.value(.connect, uri: authority, .wharf) else {
            return nil
        }
        self.sent = sent
        return value
    }

    /// Takes what the proxy wants: whether asking again may help.
    mutating func take(_ lines: [String]) -> Bool {
        count += 1
        guard count < Self.countMax else { return false }
        return authenticator?.take(lines, after: sent) ?? false
    }
}
