public import WharfServer

extension Router {
    /// Makes WebSockets of the connections of requests for a path, and lends them to a closure.
    ///
    /// What is answered to other requests says ``WharfServer/Response/webSocket(_:options:on:_:)``.
    @discardableResult
    public func webSocket(
        _ path: String, options: WebSocketOptions = WebSocketOptions(),
        on execution: Execution = .pool,
        _ use: @escaping @Sendable (WebSocket) async throws -> Void
    ) -> RouteID {
        get(path, on: .loop) { request in
            try .webSocket(request, options: options, on: execution, use)
        }
    }
}
