import WharfNet
public import WharfHTTP

/// Decides which handler answers.
///
/// It may be changed while the server runs.
///
/// A pattern is literal text as it is decoded (`/a b`, not `/a%20b`), with `{name}` for one segment
/// that is not empty, `{name}.json` for a part of one, and `{name...}` for the rest of the path,
/// even an empty one. What it finds is in ``Request/parameters``, decoded once; an encoded slash
/// stays within its segment. So a parameter can be `..` or hold a slash: it is no safe name of a
/// file.
///
/// The most specific pattern wins: segment by segment literal text comes before a part of a segment
/// (more text before less), that before a whole one, that before the rest, and that before a mount.
/// Among equals the one that was added last wins, and ``on(_:on:bodyMax:respond:)``'s closures beat
/// whatever was added before them.
///
/// HEAD runs GET's route where it has none of its own. What no route answers the router does:
/// OPTIONS at a known path, and `OPTIONS *`, with 204 and Allow; another method there with 405 and
/// Allow; an unknown path with 404; an unknown method, CONNECT and TRACE with 501; a malformed
/// escape in the path with 400.
public final class Router: Sendable {
    /// Which of the routes that fit a request answers it.
    public enum Order: Sendable, Hashable {
        /// The most specific pattern, and among equals the one that was added last.
        case mostSpecificFirst
        /// The one that was added last, whatever it is: each is tried in turn, so a thousand routes
        /// cost a thousand times as much.
        case latestFirst
    }

    private struct State {
        var index: RouteIndex
        var middleware: [any HTTPMiddleware] = []
        var lastNumber: UInt64 = 0
        /// What requests see of it.
        var table: RouteTable

        mutating func publish() {
            table = RouteTable(index, middleware: middleware)
        }
    }

    /// Shared with the groups.
    private let state: Locked<State>
    private let ignoresCase: Bool
    private let isGroup: Bool
    /// What all paths of the group begin with.
    private let prefix: RoutePattern
    /// What stands before the routes that are added from now on.
    private let middleware: Locked<[any HTTPMiddleware]>

    /// Makes a router without routes.
    ///
    /// With `ignoresCase` the literal text of patterns fits in capitals and in small letters;
    /// parameters stay as they were sent.
    public init(order: Order = .mostSpecificFirst, ignoresCase: Bool = false) {
        let index = RouteIndex(order: order, ignoresCase: ignoresCase)
        state = Locked(State(index: index, table: RouteTable(index)))
        self.ignoresCase = ignoresCase
        isGroup = false
        prefix = .root
        middleware = Locked([])
    }

    private init(_ prefix: RoutePattern, in router: Router, _ middleware: [any HTTPMiddleware]) {
        state = router.state
        ignoresCase = router.ignoresCase
        isGroup = true
        self.prefix = prefix
        self.middleware = Locked(router.middleware.withLock { $0 } + middleware)
    }

    var table: RouteTable { state.withLock { $0.table } }

    // MARK: Routes by their path

    /// Answers a method, or all (`nil`), at a path.
    ///
    /// All is every method but TRACE: an answer that repeats a TRACE would show the fields of its
    /// request to scripts, so it has to be named. `bodyMax` bounds a request's body in bytes; a
    /// longer one is answered 413. It is the server's ``HTTPServer/Configuration/bodyMax`` unless
    /// said here.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method?, _ path: String, on execution: Execution = .pool,
        bodyMax: Int64? = nil, _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        add(
            method, .pattern(pattern(path)), .async(execution, respond), bodyMax,
            knownMethods: Self.usualMethods)
    }

    /// Answers a method, or all (`nil`), at a path, in place.
    @discardableResult
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ handler: InlineHandler)
        -> RouteID
    {
        add(
            method, .pattern(pattern(path)), .inline(handler.respond), nil,
            knownMethods: Self.usualMethods)
    }

    // MARK: For what nothing else answers

    /// Answers every request of a method, or of all (`nil`), that no other route answers.
    ///
    /// Every path is known then, so none is answered 404, and one for all methods leaves no 405
    /// either. All is every method but TRACE and CONNECT. It answers `OPTIONS *` too if it answers
    /// OPTIONS.
    @discardableResult
    public func fallback(
        _ method: HTTPRequest.Method?, on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        add(
            method, .fallback, .async(execution, respond), bodyMax,
            knownMethods: Self.usualMethods)
    }

    // MARK: Match, then process

    /// Answers each request whose head the first closure accepts.
    ///
    /// `matches` runs on the event loop for every request that no later route answers.
    @discardableResult
    public func on(
        _ matches: @escaping @Sendable (HTTPRequest) -> Bool, on execution: Execution = .pool,
        bodyMax: Int64? = nil,
        respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        add(nil, .closure(matches), .async(execution, respond), bodyMax)
    }

    /// Answers a method, or all (`nil`), at each path that a regular expression fits as a whole.
    ///
    ///     router.on(.get, /\/photos\/(?<id>\d+)\.(jpe?g|png)/) { request in
    ///         let id = try request.parameters.require("id", as: Int.self)
    ///
    /// Captures are parameters, by their names and by their numbers (`"1"`, `"2"`); what a capture
    /// that took no part would hold is missing. It beats what was added before it, like a match
    /// closure. What it fits is the path as it is decoded, but `%2F` and `%25` stay, so that an
    /// encoded slash separates nothing; in the captures they are decoded.
    ///
    /// It is asked by one request at a time, on the event loop, and some expressions take very long
    /// for some texts: a pattern is better where one will do.
    @discardableResult
    public func on<Output>(
        _ method: HTTPRequest.Method?, _ path: sending Regex<Output>,
        on execution: Execution = .pool, bodyMax: Int64? = nil,
        _ respond: @escaping @Sendable (Request) async throws -> Response
    ) -> RouteID {
        let regex = PathRegex(ignoresCase ? path.ignoresCase() : path)
        return add(
            method, .regex(regex), .async(execution, respond), bodyMax,
            knownMethods: Self.usualMethods)
    }

    // MARK: Handlers

    /// Gives everything below a prefix, the prefix included, to a handler.
    @discardableResult
    public func mount(_ prefix: String, _ handler: some HTTPHandler, bodyMax: Int64? = nil)
        -> RouteID
    {
        add(
            nil, .pattern(pattern(prefix, isPrefix: true)),
            .async(.loop) { try await handler.respond(to: $0) }, bodyMax ?? handler.bodyMax,
            knownMethods: handler.allowedMethods, atOnce: handler.atOnce,
            onlyReads: handler.onlyReads)
    }

    // MARK: Groups

    /// Makes routes whose paths all begin with a prefix, and that pass more middlewares.
    ///
    ///     router.group("/api", Authorizing()) { api in
    ///         api.get("/users/{id}") { request in
    ///
    /// Inside the middlewares of the router come those of the group, in their order. A group may
    /// have groups, and routes may be added to it later. The prefix may have names; an empty path
    /// is the prefix itself. Closures and fallbacks of a group are for what is below its prefix, and
    /// a regular expression fits what follows it.
    public func group<Failure: Error>(
        _ prefix: String, _ middleware: any HTTPMiddleware...,
        build: (Router) throws(Failure) -> Void
    ) throws(Failure) {
        try build(Router(pattern(prefix, isPrefix: true), in: self, middleware))
    }

    // MARK: Changing

    /// Takes a route away, of this router or of its groups.
    ///
    /// Requests that it is answering go on.
    public func remove(_ id: RouteID) {
        // What the handler holds goes after the lock is left: its `deinit` may be anybody's code.
        let before = state.withLock { state in
            let before = state.table
            state.index.remove(id)
            state.publish()
            return before
        }
        withExtendedLifetime(before) {}
    }

    /// Puts a middleware before the routes that are added after it, inside the ones before it.
    ///
    /// What the router answers itself passes middlewares too: a 405 and an OPTIONS those of the
    /// route whose path was asked for, a 404 all that were put here. In a group it is for the routes
    /// of the group alone.
    public func use(_ middleware: some HTTPMiddleware) {
        state.withLock { state in
            let all = self.middleware.withLock { all in
                all.append(middleware)
                return all
            }
            guard !isGroup else { return }
            state.middleware = all
            state.publish()
        }
    }

    /// What a route for all methods is known to answer: CONNECT has no path, and TRACE is left out.
    private static let usualMethods = HTTPRequest.Method.known.filter {
        $0 != .connect && $0 != .trace
    }

    private func pattern(_ text: String, isPrefix: Bool = false) -> RoutePattern {
        let isWhole = text.isEmpty && (isGroup || isPrefix)
        precondition(text.hasPrefix("/") || isWhole, "\(text): no leading slash")
        return RoutePattern(prefix.text + text, isPrefix: isPrefix, ignoresCase: ignoresCase)
    }

    private func add(
        _ method: HTTPRequest.Method?, _ match: Route.Match, _ action: Route.Action,
        _ bodyMax: Int64?, knownMethods: [HTTPRequest.Method] = [],
        atOnce: (@Sendable (Request) throws -> Response?)? = nil,
        onlyReads: (@Sendable (Request) -> Bool)? = nil
    ) -> RouteID {
        state.withLock { state in
            state.lastNumber += 1
            let id = RouteID(number: state.lastNumber)
            let route = Route(
                id: id, method: method, match: match, below: prefix, action: action,
                bodyMax: bodyMax, middleware: middleware.withLock { $0 },
                knownMethods: knownMethods, atOnce: atOnce, onlyReads: onlyReads)
            state.index.add(route)
            state.publish()
            return id
        }
    }
}
