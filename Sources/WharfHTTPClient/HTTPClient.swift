import WharfHTTP
package import WharfNet

/// Sends requests and reads answers: HTTP/1.1 over connections that are kept and used again.
///
///     let client = try HTTPClient()
///     let answer = try await client.send(.init(.get, HTTPURL("http://localhost:8080/hello")))
///     print(answer.status, answer.text)
///
/// Bodies stream both ways, each as fast as the slower end takes it. Redirects are followed, logins
/// answered and cookies kept as ``Configuration-swift.struct`` says. A client may be used from any
/// task, by many at once; cancelling a task ends its exchange.
public final class HTTPClient: Sendable {
    /// How it behaves.
    public let configuration: Configuration
    package let loop: EventLoop
    package let pool: BlockingPool
    let memory = Locked(ClientMemory())
    let connections: ConnectionPool
    private let secrets = ClientSecrets()
    private let ownsLoop: Bool

    /// Makes a client with a thread of its own; connections are made when they are needed.
    ///
    /// Throws what starting a thread throws.
    public convenience init(_ configuration: Configuration = Configuration()) throws {
        ProcessSettings.ignoreDeadlySignals()
        let pool = BlockingPool(clock: .withoutLoop, threadCountMax: 8)
        let loop = EventLoop(system: try System(), pool: pool, name: "wharf-client")
        try loop.start()
        self.init(configuration, loop: loop, pool: pool, ownsLoop: true)
    }

    /// Makes a client on a loop that somebody else runs.
    package convenience init(_ configuration: Configuration, loop: EventLoop, pool: BlockingPool) {
        self.init(configuration, loop: loop, pool: pool, ownsLoop: false)
    }

    private init(
        _ configuration: Configuration, loop: EventLoop, pool: BlockingPool, ownsLoop: Bool
    ) {
        self.configuration = configuration
        self.loop = loop
        self.pool = pool
        self.ownsLoop = ownsLoop
        connections = ConnectionPool(loop, configuration)
    }

    deinit {
        LoopCall.call(on: loop) { [connections] in connections.close() }
        if ownsLoop { loop.stop() }
    }

    // MARK: Asking

    /// Sends a request, and lends the answer to a closure, which may read its body.
    ///
    /// The connection is the closure's until it returns. Throws ``HTTPClientError``, what the closure
    /// throws, and `CancellationError` when the task is cancelled.
    public func withResponse<Value>(
        to request: Request, _ body: (Response) async throws -> Value
    ) async throws -> Value {
        let deadline = try await loop.confine { [loop, configuration] in
            CallDeadline(loop, in: configuration.totalTimeout)
        }
        let call = ClientCall(client: self, request: request, deadline: deadline)
        let result: Result<Value, any Error>
        do {
            result = .success(try await call.run(body))
        } catch {
            result = .failure(error)
        }
        try await loop.confine { deadline.stop() }
        return try result.get()
    }

    /// Sends a request and reads all of the answer.
    ///
    /// Throws as ``withResponse(to:_:)`` does, and when the body is longer than `byteCountMax`.
    public func send(_ request: Request, upTo byteCountMax: Int = 1 << 20) async throws -> Answer {
        try await withResponse(to: request) { response in
            Answer(
                head: response.head, url: response.url, interim: response.interim,
                body: try await response.body.collect(upTo: byteCountMax))
        }
    }

    /// What secures connections of this client's, for those that it doesn't open itself.
    ///
    /// Throws ``WharfNet/TLSError`` when the configuration can't be used.
    package func tlsClient() async throws -> TLSClient {
        try await secrets.client(configuration.tls, on: pool)
    }

    // MARK: Connections, on the loop

    /// A connection for an attempt: one that was kept, or a new one.
    func lease(_ attempt: ClientExchange.Attempt, _ deadline: CallDeadline, isFresh: Bool)
        async throws -> ClientConnection
    {
        let origin = attempt.url.origin
        try await connections.reserve(origin, deadline)
        if !isFresh,
            let kept = connections.take(
                origin, isIdempotent: attempt.request.method.isIdempotent)
        {
            return kept
        }
        let dialer = Dialer(
            loop: loop, pool: pool, configuration: configuration, secrets: secrets)
        do {
            let stream = try await dialer.connect(origin, deadline)
            return ClientConnection(stream, to: origin)
        } catch {
            connections.release(origin)
            if loop.now >= deadline.time { try deadline.check() }
            throw error
        }
    }

    /// Takes a connection back, to be kept or closed.
    func giveBack(_ connection: ClientConnection, isReusable: Bool) {
        if isReusable {
            connections.keep(connection)
        } else {
            connection.close()
        }
        connections.release(connection.origin)
    }
}
