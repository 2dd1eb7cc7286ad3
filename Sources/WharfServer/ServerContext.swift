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
    let connections: ConnectionCounter

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
        connections = ConnectionCounter(
            max: configuration.connectionMax,
            perAddressMax: configuration.connectionsPerAddressMax)
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

    // MARK: Finding a handler

    /// The route that answers; the request is told what it found in the path.
    func route(_ request: inout Request) -> Route {
        let found = router.table.find(request.received.request)
        request.parameters = found.parameters
        request.mountPath = found.mountPath
        return found.route
    }

    // MARK: Running it

    /// Runs middlewares and handler where the route wants them to run.
    ///
    /// `refusal` is what the handler's place answers when the body is known to be too long: after
    /// the middlewares, before anything of the body is asked for.
    func run(_ route: Route, _ request: Request, refusal: HTTPBodyTooLarge?) async throws
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
                .serviceUnavailable, reason: "all handler threads are busy and the queue is full",
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
    func errorResponse(_ error: any Error, _ request: Request, _ peer: Peer) -> Response {
        let answer: HTTPError
        switch error {
        case let error as HTTPError:
            answer = error
        case let error as HTTPParseError:
            answer = HTTPError(error.status, reason: error.reason)
        case let error as HTTPBodyTooLarge:
            answer = HTTPError(
                .contentTooLarge, reason: "the body is longer than \(error.byteCountMax) bytes")
        default:
            answer = HTTPError(.internalServerError, reason: "\(error)")
        }
        if !answer.reason.isEmpty {
            let level: HTTPLog.Level = answer.status.kind == .serverError ? .error : .notice
            log(
                level,
                "\(peer.address): \(request.method) \(request.head.path ?? "*"): "
                    + "\(answer.status.code): \(answer.reason)")
        }
        var response = errorPage(answer.status)
        if !answer.fields.isEmpty { response.fields = answer.fields }
        return response
    }

    /// What a client sees of an error: nothing of the inside.
    func errorPage(_ status: HTTPResponse.Status) -> Response {
        .text("\(status.code) \(status.reasonPhrase)\n", status: status)
    }

    // MARK: Telling

    /// A request is over: for those who watch.
    func noteEnded(
        _ request: Request, _ status: HTTPResponse.Status?, byteCount: Int64, since start: UInt64,
        _ loop: EventLoop
    ) {
        guard events.hasListeners || log.level <= .info else { return }
        let nanoseconds = Int64(clamping: loop.system.now() &- start)
        let summary = HTTPServer.RequestSummary(
            method: request.method, target: request.head.path ?? request.head.authority ?? "",
            status: status, byteCount: byteCount, duration: .nanoseconds(nanoseconds),
            peer: request.peer)
        log(.info, "\(summary)")
        events.send(.requestEnded(summary))
    }
}

extension HTTPServer.RequestSummary: CustomStringConvertible {
    /// One line of an access log.
    public var description: String {
        let code = status.map { String($0.code) } ?? "-"
        return "\(peer.address) \(method.rawValue) \(target) \(code) \(byteCount) \(duration)"
    }
}
