import WharfHTTP
import WharfNet

/// Lets only those through who prove who they are.
///
///     var users = UserList(realm: "Library")
///     try users.add("alice", password: "correct horse")
///     router.use(Authentication(DigestAuthentication(users: users), BasicAuthentication(users: users)))
///
/// Nothing of a request's body is read before, and no 100 (Continue) is sent. Who asks is
/// ``Request/user`` afterwards. Without credentials, or with wrong ones, the answer is 401 with a
/// challenge of each authenticator; after too many wrong ones 429.
public struct Authentication: HTTPMiddleware {
    private let current: Locked<Present>
    private let options: Options
    private let limiter: Locked<AttemptLimiter>

    /// Offers clients some authenticators, in this order.
    public init(_ authenticators: any Authenticator..., options: Options = Options()) {
        self.init(authenticators, options: options)
    }

    /// Offers clients some authenticators, in this order.
    public init(_ authenticators: [any Authenticator], options: Options = Options()) {
        current = Locked(Present(authenticators))
        self.options = options
        limiter = Locked(
            AttemptLimiter(
                addressMax: options.failuresPerAddressMax, userMax: options.failuresPerUserMax,
                window: options.failureWindow.nanoseconds))
    }

    /// Who may log in now, and what was found out about them.
    private final class Present: Sendable {
        let authenticators: [any Authenticator]
        let cache = CredentialCache()

        init(_ authenticators: [any Authenticator]) {
            precondition(!authenticators.isEmpty, "nobody could ever log in")
            self.authenticators = authenticators
        }
    }

    /// Asks others from now on, as when a list of users has changed.
    ///
    /// Whoever was let in before is asked about again at the next request; what is under way goes on,
    /// connections that were upgraded among it. Wrong credentials stay counted.
    public func replace(with authenticators: [any Authenticator]) {
        let next = Present(authenticators)
        current.withLock { $0 = next }
    }

    private var present: Present { current.withLock { $0 } }

    /// Goes on with the request, and its ``Request/user``, or throws.
    public func respond(to request: Request, next: Next) async throws -> Response {
        try await next(try await authenticate(request))
    }

    /// The request with its user; for a handler that asks by itself.
    ///
    /// Throws what the client is to be answered: 401, 403, 429.
    public func authenticate(_ request: Request) async throws -> Request {
        switch try standing(of: request) {
        case .free: return request
        case .known(let user): return try admit(user, request)
        case .unknown(let field): return try admit(try await user(field, request), request)
        }
    }

    // MARK: Finding out

    /// What is known of who asks before an authenticator is asked.
    private enum Standing {
        /// No login is needed.
        case free
        /// The credentials were right before.
        case known(AuthenticatedUser)
        /// Nothing, but for the field with the credentials.
        case unknown(ArraySlice<UInt8>)
    }

    private func standing(of request: Request) throws -> Standing {
        if options.allowsPreflights, request.isPreflight { return .free }
        guard request.fields.contains(.authorization) else {
            if options.isReadingPublic, request.isReading { return .free }
            if options.isOptionsPublic, request.method == .options { return .free }
            throw refusal(of: request)
        }
        // RFC 9110 §11.6.2: there is one, for what can't be read the answer is as for none.
        guard let field = request.fields.onlyValueBytes(of: .authorization) else {
            throw refusal(of: request, reason: "more than one Authorization field")
        }
        return present.cache.user(of: field).map { .known($0) } ?? .unknown(field)
    }

    private func admit(_ user: AuthenticatedUser, _ request: Request) throws -> Request {
        if options.enforcesAccess, user.access == .reader, !request.isReading {
            throw HTTPError(.forbidden, reason: "\(user.name) may only read")
        }
        var admitted = request
        admitted.user = user
        return admitted
    }

    private func user(_ field: ArraySlice<UInt8>, _ request: Request) async throws
        -> AuthenticatedUser
    {
        guard let authorization = Authorization(bytes: field) else {
            throw refusal(of: request, reason: "malformed credentials")
        }
        // Those who are asked decide what is remembered, even if others have come meanwhile.
        let present = present
        for authenticator in present.authenticators {
            let outcome =
                authenticator.takesLong
                ? try await askSlowly(
                    authenticator, authorization, field, request, present.cache)
                : try await ask(authenticator, authorization, request)
            switch outcome {
            case .accepted(let user): return user
            case .refused: throw refusal(of: request, reason: "wrong credentials")
            case .stale: throw refusal(of: request, isStale: true)
            case .notMine: continue
            }
        }
        throw refusal(of: request, reason: "no scheme that was offered")
    }

    /// Asks an authenticator that takes long, in its turn and on the pool.
    private func askSlowly(
        _ authenticator: any Authenticator, _ authorization: Authorization,
        _ field: ArraySlice<UInt8>, _ request: Request, _ cache: CredentialCache
    ) async throws -> AuthenticationOutcome {
        try await HashingGate.shared.run {
            // Several connections of a client begin with the same credentials at once.
            if let user = cache.user(of: field) { return .accepted(user) }
            let pool = request.exchange.server.pool
            let outcome = try await pool.runTask {
                try await ask(authenticator, authorization, request)
            }
            if case .accepted(let user) = outcome { cache.remember(field, of: user) }
            return outcome
        }
    }

    /// Asks, unless there were too many wrong answers, and counts another one.
    private func ask(
        _ authenticator: any Authenticator, _ authorization: Authorization, _ request: Request
    ) async throws -> AuthenticationOutcome {
        let (address, name) = (request.clientAddress, authorization.userName)
        let now = request.now
        if let seconds = limiter.withLock({ $0.delay(from: address, as: name, at: now) }) {
            throw HTTPError(
                .tooManyRequests, reason: "too many wrong credentials",
                fields: [.retryAfter: "\(seconds)"])
        }
        let outcome = try await authenticator.authenticate(authorization, request)
        if outcome == .refused {
            limiter.withLock { $0.noteFailure(from: address, as: name, at: now) }
        }
        return outcome
    }

    // MARK: Refusing

    /// 401 with the challenges of all.
    private func refusal(of request: Request, isStale: Bool = false, reason: String = "")
        -> HTTPError
    {
        var error = HTTPError(.unauthorized, reason: reason)
        for authenticator in present.authenticators {
            for challenge in authenticator.challenges(to: request, isStale: isStale) {
                error.fields.append(
                    HTTPField(name: .wwwAuthenticate, value: challenge.description))
            }
        }
        return error
    }
}

extension Authentication: InPlaceMiddleware {
    /// Only an authenticator has to be waited for.
    func respondAtOnce(
        to request: Request, next: (Request) throws -> Response?
    ) throws -> Response? {
        switch try standing(of: request) {
        case .free: try next(request)
        case .known(let user): try next(try admit(user, request))
        case .unknown: nil
        }
    }
}

extension Authorization {
    /// The name in whose place a wrong answer counts.
    fileprivate var userName: String? {
        switch self {
        case .basic(let credentials): credentials.userName
        case .digest(let credentials): credentials.userName
        case .other: nil
        }
    }
}

/// Noted of a request that only reads in spite of its method.
enum OnlyReads: RequestKey {
    typealias Value = Bool
}

extension Request {
    /// Whether it only reads; a method that is not known may do anything.
    var isReading: Bool {
        switch method {
        case .get, .head, .options, .propfind: true
        // Nobody but the server has noted it, and only of a POST.
        case .post: self[OnlyReads.self] ?? false
        default: false
        }
    }

    /// A browser's question before a request of a page of another site (Fetch §4.8).
    var isPreflight: Bool {
        method == .options && fields.contains(.origin)
            && fields.contains(.accessControlRequestMethod)
    }
}
