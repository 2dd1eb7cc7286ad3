public import WharfHTTP

/// One way to find out who asks: ``BasicAuthentication``, ``DigestAuthentication``, or your own.
///
/// An ``Authentication`` offers it to clients and asks it about what they answer.
public protocol Authenticator: Sendable {
    /// Whether ``authenticate(_:_:)`` takes long, as hashing a password does.
    ///
    /// Then it is called on the server's pool, for two requests at a time, and a user that it has
    /// accepted is accepted again without a call when the very same field comes, until the server
    /// ends. `false` unless said otherwise.
    var takesLong: Bool { get }

    /// What a client is offered, best first.
    ///
    /// `isStale`: the last answer was right but is out of date, so nobody need be asked again.
    func challenges(to request: Request, isStale: Bool) -> [Challenge]

    /// Judges what a client has answered.
    ///
    /// Nothing of the request's body may be read. What it throws becomes the answer.
    func authenticate(_ authorization: Authorization, _ request: Request) async throws
        -> AuthenticationOutcome
}

extension Authenticator {
    /// It does not.
    public var takesLong: Bool { false }
}

/// What an ``Authenticator`` makes of a client's answer.
@nonexhaustive
public enum AuthenticationOutcome: Sendable, Hashable {
    /// It is this user.
    case accepted(AuthenticatedUser)
    /// The password is wrong, or there is no such user.
    case refused
    /// The answer is right but out of date: the client may try again without asking its user.
    case stale
    /// The answer belongs to a scheme of somebody else's.
    case notMine
}
