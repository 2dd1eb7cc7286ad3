import WharfCrypto
public import WharfHTTP

/// The scheme Basic (RFC 7617): the password itself, in every request.
///
/// Every client knows it. Without TLS, whoever can read the traffic reads the passwords.
public struct BasicAuthentication: Authenticator {
    private let users: UserList
    /// What nobody's password hashes to.
    private let nobody = DigestSecret(.sha256, bytes: Random.bytes(32))

    /// Lets in the users of a list.
    public init(users: UserList) {
        self.users = users
    }

    /// It does: hashes of passwords are slow so that they can't be tried out.
    public var takesLong: Bool { true }

    /// One challenge, for UTF-8.
    public func challenges(to request: Request, isStale: Bool) -> [Challenge] {
        [
            Challenge(
                scheme: "Basic",
                parameters: [.init("realm", users.realm), .init("charset", "UTF-8")])
        ]
    }

    /// Compares the password with the user's.
    ///
    /// An unknown name takes as long as the costliest hash of the list.
    public func authenticate(_ authorization: Authorization, _ request: Request) async throws
        -> AuthenticationOutcome
    {
        guard case .basic(let credentials) = authorization else { return .notMine }
        return user(credentials).map { .accepted($0) } ?? .refused
    }

    /// Whose credentials they are, after the same work for everybody.
    func user(_ credentials: BasicCredentials) -> AuthenticatedUser? {
        let entry = users.entry(credentials.userName)
        let fitsHash = (entry?.passwordHash ?? users.decoy)?.matches(credentials.password)
        let secret = entry?.secrets[.sha256] ?? entry?.secrets[.md5] ?? nobody
        let answer = DigestSecret(
            userName: credentials.userName, realm: users.realm, password: credentials.password,
            algorithm: secret.algorithm)
        let fitsSecret = Secrets.constantTimeEquals(answer.bytes, secret.bytes)
        guard let entry else { return nil }
        let fits = entry.passwordHash == nil ? fitsSecret : fitsHash ?? false
        return fits ? entry.user : nil
    }
}
