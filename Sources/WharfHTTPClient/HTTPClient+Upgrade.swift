package import WharfHTTP
package import WharfNet

extension HTTPClient {
    /// Asks for another protocol, and lends the connection to a closure once the server has agreed.
    ///
    /// The closure runs on the client's loop and must not block; what the server has sent behind its
    /// answer is in the stream's input already. Logins, cookies and redirects are as for any request;
    /// the connection is closed when the closure has ended. Throws ``HTTPClientError`` with
    /// ``HTTPClientError/Kind/notUpgraded(_:)`` for any other final answer than 101.
    package func withUpgrade<Value: Sendable>(
        _ request: Request,
        _ body: @escaping @Sendable @concurrent (HTTPResponse, ByteStream) async throws -> Value
    ) async throws -> Value {
        try await loop.confine { [self] in
            let deadline = CallDeadline(loop, in: configuration.totalTimeout)
            defer { deadline.stop() }
            let call = ClientCall(client: self, request: request, deadline: deadline)
            return try await call.runUpgrade(body)
        }
    }
}

extension ClientCall {
    /// Runs requests until one is answered by 101; on the loop.
    fileprivate func runUpgrade<Value: Sendable>(
        _ body: @Sendable @concurrent (HTTPResponse, ByteStream) async throws -> Value
    ) async throws -> Value {
        var exchange = makeExchange()
        while true {
            let now = client.loop.system.unixTime()
            let attempt = client.memory.withLock { exchange.attempt(&$0, now: now) }
            let wire = try await open(attempt, isUpgrade: true)
            defer { client.giveBack(wire.connection, isReusable: false) }
            _ = wire.sender.sendAtOnce()
            let beginning = try await wire.readHead()
            if beginning.head.response.status.code == 101 {
                // It lives as long as it likes from here on.
                deadline.stop()
                return try await body(beginning.head.response, wire.connection.stream)
            }
            guard try decide(beginning, attempt, &exchange) == .again else {
                throw HTTPClientError(
                    .notUpgraded(beginning.head.response.status),
                    "the server answered \(beginning.head.response.status.code)")
            }
        }
    }
}
