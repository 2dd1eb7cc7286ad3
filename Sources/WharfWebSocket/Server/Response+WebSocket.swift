public import WharfServer
import WharfWebSocketCodec
import WharfHTTP

extension Response {
    /// Makes a WebSocket of the request's connection, and lends it to a closure.
    ///
    /// Throws ``WharfServer/HTTPError`` for a request that can't become one: 426 when it asks for
    /// none, or for another version; 400 when it is malformed or asks for subprotocols that are not
    /// spoken here. An error of the closure closes with 1011, and a server that is being stopped with
    /// 1001.
    ///
    /// Browsers let every page open one to every server, with the user's cookies: it is the server's
    /// ``WharfServer/Protection`` that keeps pages of other sites out (403).
    public static func webSocket(
        _ request: Request, options: WebSocketOptions = WebSocketOptions(),
        on execution: Execution = .pool,
        _ use: @escaping @Sendable (WebSocket) async throws -> Void
    ) throws -> Response {
        var handshake = ServerHandshake()
        handshake.subprotocols = options.subprotocols
        handshake.requiresSubprotocol = options.requiresSubprotocol
        handshake.compression = options.compression
        let agreement: ServerHandshake.Agreement
        do throws(ServerHandshake.Refusal) {
            agreement = try handshake.agree(request.head, mayUpgrade: request.mayUpgrade)
        } catch {
            throw HTTPError(error.status, reason: error.reason, fields: error.fields)
        }
        return .upgrade(to: "websocket", fields: agreement.fields) { upgraded in
            let transport = try upgraded.transport
            let link = WebSocketLink(
                .server, transport.stream, options: options, deflate: agreement.deflate,
                isStopping: transport.isStopping)
            let socket = WebSocket(link, subprotocol: agreement.subprotocol)
            try await link.run {
                try await transport.run(on: execution) { try await use(socket) }
            }
        }
    }
}
