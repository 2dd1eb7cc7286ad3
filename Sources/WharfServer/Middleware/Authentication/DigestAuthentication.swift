import WharfCrypto
public import WharfHTTP
import WharfNet

/// The scheme Digest (RFC 7616): a proof that the client knows the password, for one request.
///
/// SHA-256 is offered, and MD5 only if it is asked for: Windows' own WebDAV client knows no other.
/// Proofs cover the method and the target, not the body (`qop=auth`); each is taken once, within
/// the lifetime of its nonce. The server keeps nothing of a nonce that has not been used.
public struct DigestAuthentication: Authenticator {
    private let users: UserList
    private let algorithms: [DigestAlgorithm]
    private let lifetime: UInt64
    private let issuer = DigestNonce.Issuer()
    private let counts = Locked(NonceCounts())
    /// What nobody's password hashes to.
    private let nobody = Random.bytes(32)

    /// Lets in those users of a list who have a secret for one of the algorithms.
    ///
    /// Those come in order of preference; some clients take the last that they find.
    public init(
        users: UserList, algorithms: [DigestAlgorithm] = [.sha256],
        nonceLifetime: Duration = .seconds(300)
    ) {
        precondition(!algorithms.isEmpty, "Digest needs an algorithm")
        self.users = users
        self.algorithms = algorithms
        lifetime = nonceLifetime.nanoseconds
    }

    /// A challenge for each algorithm.
    public func challenges(to request: Request, isStale: Bool) -> [Challenge] {
        let nonce = issuer.issue(at: request.now)
        return algorithms.map { algorithm in
            var parameters: [Challenge.Parameter] = [
                .init("realm", users.realm), .init("qop", "auth"),
                .init("algorithm", algorithm.rawValue, isQuoted: false), .init("nonce", nonce),
                .init("charset", "UTF-8", isQuoted: false),
            ]
            if isStale { parameters.append(.init("stale", "true", isQuoted: false)) }
            return Challenge(scheme: "Digest", parameters: parameters)
        }
    }

    /// Checks the proof, and that it is for this request and comes for the first time.
    ///
    /// Throws 400 when it is for another target (RFC 7616 §3.4.6).
    public func authenticate(_ authorization: Authorization, _ request: Request) async throws
        -> AuthenticationOutcome
    {
        guard case .digest(let credentials) = authorization else { return .notMine }
        guard request.isTarget(credentials.uri) else {
            throw HTTPError(.badRequest, reason: "the credentials are for another target")
        }
        guard credentials.realm == users.realm, let user = user(credentials, request.method)
        else { return .refused }
        let now = request.now
        guard let nonce = issuer.read(credentials.nonce), now &- nonce.issuedAt < lifetime,
            let count = credentials.nonceCount,
            counts.withLock({ $0.use(count, of: nonce) })
        else { return .stale }
        return .accepted(user)
    }

    /// Whose proof it is, whatever its nonce; the same work for everybody.
    private func user(
        _ credentials: DigestCredentials, _ method: HTTPRequest.Method
    ) -> AuthenticatedUser? {
        // RFC 7616 §3.3: without a name it is MD5. No other qop than the one that was offered.
        guard let algorithm = DigestAlgorithm(name: credentials.algorithm ?? "MD5"),
            algorithms.contains(algorithm), credentials.qop == "auth"
        else { return nil }
        let name = credentials.userName
        let entry = users.entry(credentials.isUserHashed ? users.name(hashed: name) : name)
        let secret = entry?.secrets[algorithm]?.bytes ?? nobody
        let a2 = DigestCredentials.a2(method: method, uri: credentials.uri)
        let input = credentials.responseInput(
            hashA1: Hexadecimal.encode(secret), hashA2: algorithm.hexadecimal(of: a2))
        guard let input, let response = Hexadecimal.decode(credentials.response) else {
            return nil
        }
        let expected = Hash.digest(algorithm.hash, of: input)
        guard Secrets.constantTimeEquals(response, expected), let entry,
            entry.secrets[algorithm] != nil
        else { return nil }
        return entry.user
    }
}

extension Request {
    /// Nanoseconds of the server's clock.
    var now: UInt64 { exchange.server.pool.clock.now() }

    /// Whether a URI of the client's is what it has asked for.
    ///
    /// RFC 7616 §3.4.6: a proxy may have changed the form of the target, so that one of the two has
    /// a host and the other has none.
    func isTarget(_ uri: String) -> Bool {
        guard let path = head.path else { return uri == head.authority }
        if uri == path { return true }
        guard
            let scheme = ["http://", "https://"].first(where: { uri.lowercased().hasPrefix($0) }),
            let authority = head.authority
        else { return false }
        let rest = uri.utf8.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let split = end ?? rest.endIndex
        guard Substring(rest[..<split]).lowercased() == authority.lowercased() else { return false }
        let asked = String(Substring(rest[split...]))
        // RFC 9112 §3.2.1, §3.2.4: an empty path is `/`, but `*` for OPTIONS.
        if asked.isEmpty { return path == (method == .options ? "*" : "/") }
        return path == (asked.hasPrefix("/") ? asked : "/" + asked)
    }
}
