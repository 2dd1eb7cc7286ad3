/// Somebody who has proved who they are.
public struct AuthenticatedUser: Sendable, Hashable {
    /// What a user may do.
    public enum Access: Sendable, Hashable {
        /// Reading only: GET, HEAD, OPTIONS and PROPFIND.
        case reader
        /// Everything.
        case writer
    }

    /// The name.
    public let name: String
    /// What they may do.
    public let access: Access

    /// Makes a user; for an ``Authenticator`` of your own.
    public init(name: String, access: Access = .writer) {
        self.name = name
        self.access = access
    }
}

extension Request {
    private enum UserKey: RequestKey { typealias Value = AuthenticatedUser }

    /// Who asks; `nil` when nobody has been asked to prove it, or reading is public.
    ///
    /// ``Authentication`` sets it. A middleware that knows users by other means may, too.
    public var user: AuthenticatedUser? {
        get { self[UserKey.self] }
        set {
            self[UserKey.self] = newValue
            exchange.userName = newValue?.name
        }
    }
}
