import WharfBLIPEngine
public import WharfServer
import WharfWebSocket

extension Router {
    /// Speaks BLIP with clients that ask for it at a path, and calls a closure with each connection.
    ///
    /// Handlers run where `execution` says. The closure may send requests, too; when it returns the
    /// connection goes on. Who the client is, is known if an ``Authentication`` was used before.
    @discardableResult
    public func blip(
        _ path: String, _ dispatcher: BLIPDispatcher, options: BLIPOptions = BLIPOptions(),
        on execution: Execution = .pool,
        _ onConnection: (@Sendable (BLIPConnection) async throws -> Void)? = nil
    ) -> RouteID {
        get(path, on: .loop) { request in
            let (peer, user) = (request.peer, request.user)
            return try .webSocket(request, options: options.settled, on: execution) { socket in
                let link = BLIPLink(options.settings(dispatcher), loop: socket.loop)
                let connection = BLIPConnection(link, peer: peer, user: user)
                let version = try options.version(of: socket.subprotocol)
                try await link.serve(
                    WebSocketTransport(socket), version, connection, onConnection)
            }
        }
    }
}
