package import WharfHTTP
package import WharfNet
import WharfCrypto
import WharfWebSocketCodec

/// The client's end of a WebSocket over a connection that an HTTP client has upgraded.
package struct WebSocketUpgrade: Sendable {
    private let options: WebSocketOptions
    private let handshake: ClientHandshake

    package init(_ options: WebSocketOptions) {
        self.options = options
        handshake = ClientHandshake(
            authority: "", path: "/", subprotocols: options.subprotocols,
            compression: options.compression, randomBytes: Random.bytes)
    }

    /// What the request has to say, beside what it is of.
    package var fields: HTTPFields { handshake.request.headerFields }

    /// Judges the answer, lends the WebSocket to a closure, and closes; on the stream's loop.
    ///
    /// Throws ``WebSocketHandshakeError`` when the server does not agree, and what the closure throws.
    package func run<Value: Sendable>(
        _ answer: HTTPResponse, over stream: ByteStream, _ body: (WebSocket) async throws -> Value
    ) async throws -> Value {
        let agreement = try handshake.agree(answer)
        stream.socket.rememberTask()
        let link = WebSocketLink(.client, stream, options: options, deflate: agreement.deflate)
        let webSocket = WebSocket(link, subprotocol: agreement.subprotocol)
        return try await link.run { try await body(webSocket) }
    }
}
