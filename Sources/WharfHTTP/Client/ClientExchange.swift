/// One exchange as a client sees it, with all the requests that it may take: redirects, logins,
/// cookies, expectations, and what may be tried again.
///
/// It is pure: the caller sends what ``attempt(_:now:_:)`` says, and tells what came of it.
package struct ClientExchange: Sendable {
    /// What it may do by itself.
    package struct Rules: Sendable {
        /// Redirects that are followed; 0: the redirect is the answer.
        package var redirectMax = 10
        /// Whether a redirect may lead from `https` to `http`.
        package var allowsDowngrade = false
        /// For the origin that is asked first, and no other.
        package var credentials: ClientCredentials?
        /// Whether cookies are kept and sent.
        package var usesCookies = true
        /// Bodies of so many bytes, and those of unknown length, wait for 100 (Continue); `nil`: none.
        package var continueMin: Int64? = 1 << 20

        package init() {}
    }

    /// What there is to send behind the head.
    package enum Body: Sendable, Hashable {
        case none
        /// `length` is in bytes, `nil` when it is not known; what can't be repeated is sent once.
        case some(length: Int64?, isRepeatable: Bool)
    }

    /// A request to send.
    package struct Attempt: Sendable, Hashable {
        package let request: HTTPRequest
        package let url: HTTPURL
        /// What follows the head.
        package let body: Body
        /// Whether the body waits for 100 (Continue).
        package let awaitsContinue: Bool
        /// What identifies the client.
        let sent: ClientAuthenticator.Sent
    }

    /// What to do with an answer.
    package enum Decision: Sendable, Hashable {
        /// It is the answer.
        case deliver
        /// Another attempt is to be made.
        case again
    }

    /// The challenges that are answered in one exchange: the second may say that a nonce is stale.
    private static let challengeMax = 3

    /// Where it is now.
    package private(set) var url: HTTPURL
    private let rules: Rules
    private let hashing: ClientHashing
    private let firstOrigin: HTTPURL.Origin
    private var method: HTTPRequest.Method
    private var fields: HTTPFields
    private var body: Body
    private var redirectCount = 0
    private var challengeCount = 0
    private var hasRetried = false
    private var mayExpect = true

    /// An exchange that begins at `url`.
    ///
    /// Of the fields, those that frame the body are dropped: they are made of `body`.
    package init(
        _ method: HTTPRequest.Method, _ url: HTTPURL, fields: HTTPFields = [:], body: Body = .none,
        rules: Rules = Rules(), hashing: ClientHashing
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.rules = rules
        self.hashing = hashing
        firstOrigin = url.origin
        for name in [HTTPField.Name.contentLength, .transferEncoding] {
            self.fields.removeAll(named: name)
        }
        // An empty one is how some libraries say that none is wanted.
        if self.fields[.expect]?.isEmpty == true {
            self.fields.removeAll(named: .expect)
            mayExpect = false
        }
    }

    // MARK: Asking

    /// The next request to send; `now` is in seconds since 1970.
    package mutating func attempt(_ memory: inout ClientMemory, now: Int64) -> Attempt {
        var fields = fields
        // RFC 9110 §7.2: first of all, unless the caller has one.
        if !fields.contains(.host) {
            var hosted: HTTPFields = [.host: url.authority]
            for field in fields { hosted.append(field) }
            fields = hosted
        }
        if rules.usesCookies, let cookies = memory.jar.field(for: url, now: now) {
            let own = fields[.cookie].map { $0 + "; " } ?? ""
            fields[.cookie] = own + cookies
        }
        let sent = authorize(&fields, &memory)
        let expects = expectsContinue(memory)
        fields[.expect] = expects ? "100-continue" : nil
        switch body {
        case .none: if method.wantsLength { fields[.contentLength] = "0" }
        case .some(let length?, _): fields[.contentLength] = "\(max(length, 0))"
        case .some(nil, _): fields[.transferEncoding] = "chunked"
        }
        let request = HTTPRequest(
            method: method, scheme: url.scheme.rawValue, authority: nil, path: url.target,
            headerFields: fields)
        return Attempt(request: request, url: url, body: body, awaitsContinue: expects, sent: sent)
    }

    private mutating func authorize(_ fields: inout HTTPFields, _ memory: inout ClientMemory)
        -> ClientAuthenticator.Sent
    {
        guard let credentials = usableCredentials else { return .nothing }
        var authenticator = memory.authenticator(url.origin, credentials)
        let (value, sent) = authenticator.value(method, uri: url.target, hashing)
        memory.keep(authenticator, for: url.origin)
        if let value { fields[.authorization] = value }
        return sent
    }

    /// The credentials for where it is now, unless the caller has given a field.
    private var usableCredentials: ClientCredentials? {
        guard url.origin == firstOrigin, !fields.contains(.authorization) else { return nil }
        return rules.credentials
    }

    private func expectsContinue(_ memory: ClientMemory) -> Bool {
        guard case .some(let length, _) = body, mayExpect else { return false }
        if fields.contains(.expect) { return true }
        guard let least = rules.continueMin, memory.answersExpectations(url.origin) else {
            return false
        }
        return length.map { $0 >= least } ?? true
    }

    // MARK: Being answered

    /// Takes a final answer; `hasBegunBody` says whether some of the body has left.
    ///
    /// Throws ``ClientExchangeError`` when the answer leads somewhere and can't be followed.
    package mutating func take(
        _ response: HTTPResponse, to attempt: Attempt, hasBegunBody: Bool,
        _ memory: inout ClientMemory, now: Int64
    ) throws(ClientExchangeError) -> Decision {
        if rules.usesCookies { memory.jar.store(response.headerFields, from: url, now: now) }
        let canRepeat = !hasBegunBody || body.isRepeatable
        // RFC 9110 §10.1.1: asked again without the expectation that it does not understand.
        if response.status.code == 417, attempt.awaitsContinue, canRepeat {
            mayExpect = false
            return .again
        }
        if response.status == .unauthorized {
            return answersChallenge(response, attempt, &memory) && canRepeat ? .again : .deliver
        }
        return try follow(response, canRepeat)
    }

    private mutating func answersChallenge(
        _ response: HTTPResponse, _ attempt: Attempt, _ memory: inout ClientMemory
    ) -> Bool {
        guard let credentials = usableCredentials, challengeCount < Self.challengeMax else {
            return false
        }
        challengeCount += 1
        var authenticator = memory.authenticator(url.origin, credentials)
        // What was sent first of all may rest on what an earlier exchange has learned.
        let sent = challengeCount == 1 && attempt.sent != .basic ? .nothing : attempt.sent
        let mayHelp = authenticator.take(
            response.headerFields[values: .wwwAuthenticate], after: sent)
        memory.keep(authenticator, for: url.origin)
        return mayHelp
    }

    private mutating func follow(_ response: HTTPResponse, _ canRepeat: Bool)
        throws(ClientExchangeError) -> Decision
    {
        let locations = response.headerFields[values: .location]
        guard rules.redirectMax > 0, let redirect = ClientRedirect(response.status, method),
            let location = locations.first
        else { return .deliver }
        redirectCount += 1
        guard redirectCount <= rules.redirectMax else { throw .tooManyRedirects }
        // Which of two is meant nobody knows.
        guard locations.count == 1, let next = try? url.resolving(location) else {
            throw .badLocation
        }
        if url.scheme == .https, next.scheme == .http, !rules.allowsDowngrade {
            throw .downgrade(next)
        }
        guard !redirect.keepsBody || body == .none || canRepeat else { throw .bodyIsSpent }
        if next.origin != url.origin {
            for name in ClientRedirect.fieldsOfOrigin { fields.removeAll(named: name) }
        }
        if !redirect.keepsBody {
            body = .none
            for name in ClientRedirect.fieldsOfBody { fields.removeAll(named: name) }
        }
        method = redirect.method
        url = next
        return .again
    }

    /// Whether a request that got no answer may be sent once more.
    ///
    /// RFC 9112 §9.3.1: a kept connection may close just as the request goes out. Only then, once,
    /// before a byte of an answer, and only what may be done twice.
    package mutating func mayRetry(
        isKeptConnection: Bool, hasAnswerBytes: Bool, hasBegunBody: Bool
    ) -> Bool {
        guard isKeptConnection, !hasAnswerBytes, !hasRetried, method.isIdempotent,
            !hasBegunBody || body.isRepeatable
        else { return false }
        hasRetried = true
        return true
    }
}

extension ClientExchange.Body {
    var isRepeatable: Bool {
        switch self {
        case .none: true
        case .some(_, let isRepeatable): isRepeatable
        }
    }
}

extension HTTPRequest.Method {
    /// Whether doing it twice is doing it once (RFC 9110 §9.2.2, RFC 4918 §9).
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace, .propfind, .proppatch, .mkcol, .copy,
            .move, .unlock, .report, .search:
            true
        default: false
        }
    }

    /// RFC 9110 §8.6: those whose missing body is told.
    fileprivate var wantsLength: Bool { self == .post || self == .put || self == .patch }
}
