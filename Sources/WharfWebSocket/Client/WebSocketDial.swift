package import WharfHTTP
package import WharfNet
import WharfWebSocketCodec
import WharfCrypto

/// The client's end of a WebSocket over a connection that somebody else has opened.
package struct WebSocketDial: Sendable {
    package let authority: String
    package let path: String
    package var options: WebSocketOptions
    /// Sent beside those of the handshake.
    package var fields: HTTPFields = [:]
    /// How long the server may take to answer, in nanoseconds.
    package var patience: UInt64 = 10_000_000_000

    package init(
        authority: String, path: String, options: WebSocketOptions = WebSocketOptions()
    ) {
        self.authority = authority
        self.path = path
        self.options = options
    }

    /// Shakes hands over the socket, lends the WebSocket to a closure, and closes.
    ///
    /// Call it on the socket's loop. Throws ``WebSocketHandshakeError`` when the server does not
    /// agree, an ``Errno`` when the connection fails, and what the closure throws.
    package func run<Value: Sendable>(
        over socket: Socket, _ body: (WebSocket) async throws -> Value
    ) async throws -> Value {
        defer { socket.close() }
        socket.rememberTask()
        let stream = ByteStream(socket, patience: patience)
        let agreement = try await shakeHands(stream)
        let link = WebSocketLink(
            .client, stream, options: options, deflate: agreement.deflate)
        let webSocket = WebSocket(link, subprotocol: agreement.subprotocol)
        return try await link.run { try await body(webSocket) }
    }

    private func shakeHands(_ stream: ByteStream) async throws -> ClientHandshake.Agreement {
        let handshake = ClientHandshake(
            authority: authority, path: path, subprotocols: options.subprotocols,
            compression: options.compression, fields: fields, randomBytes: Random.bytes)
        stream.write { output in
            HeadSerializer.appendRequestLine(handshake.request, to: &output)
            HeadSerializer.appendField("Host", authority, to: &output)
            HeadSerializer.appendFields(handshake.request.headerFields, to: &output)
            HeadSerializer.appendEnd(to: &output)
        }
        try await stream.flush()
        return try handshake.agree(try await readHead(stream))
    }

    private func readHead(_ stream: ByteStream) async throws -> HTTPResponse {
        let deadline = stream.socket.loop.now &+ patience
        while true {
            var parser = HTTPResponseParser(requestMethod: .get)
            while true {
                let head = try stream.withInput { input throws(HTTPParseError) in
                    try parser.parse(input)
                }
                guard let head else {
                    try await receive(stream, until: deadline)
                    continue
                }
                stream.consume(head.byteCount)
                // RFC 9110 §15.2: other interim responses may come first.
                let code = head.response.status.code
                if code >= 200 || code == 101 { return head.response }
                break
            }
        }
    }

    private func receive(_ stream: ByteStream, until deadline: UInt64) async throws {
        while true {
            switch stream.receive(countMax: 64 * 1024) {
            case .bytes: return
            case .ended: throw WebSocketHandshakeError(.malformedAnswer)
            case .failed(let error): throw error
            case .wouldBlock: break
            }
            switch await stream.socket.waitReadable(until: deadline) {
            case .ready: continue
            case .timedOut: throw Errno.timedOut
            case .interrupted: throw Errno.cancelled
            case .busy: throw Errno.alreadyWaiting
            }
        }
    }
}
