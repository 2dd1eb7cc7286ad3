import Synchronization
import WharfHTTP
import WharfNet

/// What all connections of a server share.
final class ServerContext: Sendable {
    let configuration: HTTPServer.Configuration
    let router: Router
    let pool: BlockingPool
    let log: HTTPLog
    let events = EventHub()
    let reloads = ReloadRequests()
    let connections: ConnectionCounter
    let connectedState: ConnectedState
    /// Whether requests are logged.
    private let isLogged: Bool

    private static let fullQueueReason = "all handler threads are busy and the queue is full"
    private let fullQueueLimit = LogLimit(seconds: 1)
    /// For the line that says that there are all the connections there may be.
    let fullLimit = LogLimit(seconds: 60)

    /// Whether requests are looked at before a route is: a flag, as most cost no more than that.
    let isSelective: Bool
    private let hasAccessLog: Bool

    // Nanoseconds, worked out once.
    let headTimeout: UInt64
    private let idleTimeout: UInt64
    private let crowdedIdleTimeout: UInt64
    let bodyTimeout: UInt64
    let writeTimeout: UInt64
    let paceLimit: PaceLimit?

    init(_ configuration: HTTPServer.Configuration, router: Router, pool: BlockingPool) {
        self.configuration = configuration
        self.router = router
        self.pool = pool
        log = configuration.log
        isSelective = configuration.protection != nil || configuration.hooks.rewrites != nil
        hasAccessLog = configuration.accessLog != nil
        connections = ConnectionCounter(
            max: configuration.connectionMax,
            perAddressMax: configuration.connectionsPerAddressMax,
            proxies: configuration.trustedProxies)
        isLogged = configuration.accessLog != nil || configuration.log.level <= .info
        connectedState = ConnectedState(
            delay: configuration.disconnectedDelay.nanoseconds, events, connections)
        headTimeout = configuration.headTimeout.nanoseconds
        idleTimeout = configuration.idleTimeout.nanoseconds
        crowdedIdleTimeout = min(configuration.crowdedIdleTimeout.nanoseconds, idleTimeout)
        bodyTimeout = configuration.bodyTimeout.nanoseconds
        writeTimeout = configuration.writeTimeout.nanoseconds
        paceLimit = Self.paceLimit(configuration, connections)
    }

    // MARK: When there are many

    /// How long a connection may wait for its next request now, in nanoseconds.
    var presentIdleTimeout: UInt64 {
        connections.isCrowded ? crowdedIdleTimeout : idleTimeout
    }

    private static func paceLimit(
        _ configuration: HTTPServer.Configuration, _ connections: ConnectionCounter
    ) -> PaceLimit? {
        guard configuration.rateMin > 0 else { return nil }
        return PaceLimit(
            bytesPerSecond: configuration.rateMin, window: configuration.rateWindow.nanoseconds
        ) { connections.isCrowded }
    }

    // MARK: Running a handler

    /// Runs middlewares and handler where the route wants them to run.
    ///
    /// `refusal` is what the handler's place answers when the body is known to be refused: after
    /// the middlewares, before anything of the body is asked for.
    func run(_ route: Route, _ request: Request, refusal: (any Error)?) async throws
        -> Response
    {
        let execution: Execution
        var next: @Sendable (Request) async throws -> Response
        switch route.action {
        case .inline(let respond):
            execution = .loop
            next = { try respond($0) }
        case .async(let place, let respond):
            execution = place
            next = respond
        }
        if let refusal {
            if route.middleware.isEmpty { throw refusal }
            next = { _ in throw refusal }
        }
        for middleware in route.middleware.reversed() {
            let inner = Next(respond: next)
            next = { try await middleware.respond(to: $0, next: inner) }
        }
        guard execution == .pool else { return try await next(request) }
        let chain = next
        return try await run(on: .pool) { try await chain(request) }
    }

    /// Lets a closure of a handler's run in its place, or throws the error 503 when too much waits.
    func run<Value: Sendable>(
        on execution: Execution, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard execution == .pool else { return try await operation() }
        guard let value = try await pool.runIfRoom(operation) else {
            throw HTTPError(
                .serviceUnavailable, reason: Self.fullQueueReason,
                fields: [.retryAfter: "1"])
        }
        return value
    }

    /// Runs what belongs to an exchange whose handler has run already: it is not refused any more.
    func goOn(
        on execution: Execution, _ operation: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard execution == .pool else { return try await operation() }
        try await pool.runTask(operation)
    }

    // MARK: Errors

    /// The one place where an error becomes a response.
    ///
    /// `now` is the loop's time.
    func errorResponse(_ error: any Error, _ request: Request, now: UInt64) -> Response {
        let answer: HTTPError
        switch error {
        case let error as ErrorWithFields:
            return error.complete(errorResponse(error.error, request, now: now))
        case let error as HTTPError:
            answer = error
        case let error as HTTPParseError:
            answer = HTTPError(error.status, reason: error.reason)
        case let error as MultipartError:
            answer = HTTPError(error.status, reason: error.reason)
        case let error as HTTPBodyTooLarge:
            answer = HTTPError(
                .contentTooLarge, reason: "the body is longer than \(error.byteCountMax) bytes")
        default:
            answer = HTTPError(.internalServerError, reason: "\(error)")
        }
        if !answer.reason.isEmpty { log(answer, request, now: now) }
        var response = page(answer.status, for: request)
        var fields = answer.fields
        for field in response.fields where !answer.fields.contains(field.name) {
            fields.append(field)
        }
        if response.fields.contains(.vary) { fields.addVary(.accept) }
        response.fields = fields
        guard response.undecidedCookies != nil else { return response }
        return response.decidingCookies(isSecure: request.isSecure)
    }

    private func log(_ answer: HTTPError, _ request: Request, now: UInt64) {
        let line = "\(request.place): \(answer.status.code): \(answer.reason)"
        if answer.reason == Self.fullQueueReason {
            // It comes with every request then.
            log(.notice, line, limit: fullQueueLimit, now: now)
        } else {
            // A method that nobody knows is a mistake of the client's, though a 5xx.
            let isOurs = answer.status.kind == .serverError && answer.status != .notImplemented
            log(isOurs ? .error : .notice, line)
        }
    }

    /// Logs a line unless too many like it came before; it says how many of those were left out.
    func log(
        _ level: HTTPLog.Level, _ line: @autoclosure () -> String, limit: LogLimit, now: UInt64
    ) {
        guard let heldBackCount = limit.pass(at: now) else { return }
        log(level, heldBackCount == 0 ? line() : "\(line()) (and \(heldBackCount) times before)")
    }

    /// What a client sees of an error: nothing of the inside.
    private func page(_ status: HTTPResponse.Status, for request: Request) -> Response {
        configuration.errorPages.response(status, for: request)
    }

    /// What is answered to bytes that are no request: always in memory.
    func pageWithoutRequest(_ status: HTTPResponse.Status) -> Response {
        let response = configuration.errorPages.response(status, for: nil)
        return response.body.inMemoryCount == nil ? .status(status) : response
    }

    // MARK: Telling

    /// Whether anybody wants to know of requests that are over.
    var isWatched: Bool {
        events.hasListeners || hasAccessLog || log.level <= .info
    }

    /// A request is over: for those who watch.
    func tell(_ summary: HTTPServer.RequestSummary, _ line: inout LogLine) {
        if let accessLog = configuration.accessLog {
            accessLog.write(summary, &line)
        } else {
            log(.info, "\(summary)")
        }
        events.send(.requestEnded(summary))
    }
}

extension HTTPServer.RequestSummary: CustomStringConvertible {
    /// One line of an access log: address, method, target, status, bytes, milliseconds.
    ///
    /// `cut` follows the status of an answer that is not complete.
    public var description: String {
        let code = status.map { String($0.code) } ?? "-"
        let end = isComplete || status == nil ? "" : " cut"
        return "\(clientAddress) \(method) \(target) \(code)\(end) \(byteCount) "
            + "\(duration.milliseconds) ms"
    }
}

extension Duration {
    /// Milliseconds with three decimals: `0.036`.
    var milliseconds: String {
        let microseconds = nanoseconds / 1000
        return "\(microseconds / 1000)." + String(microseconds % 1000 + 1000).dropFirst()
    }
}
