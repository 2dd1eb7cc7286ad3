import TestSupport
import Testing
import WharfServer
import WharfWebSocket
import WharfWebSocketCodec

@Suite(.timeLimit(.minutes(1))) struct `A request that becomes no WebSocket` {
    private static let handshake = """
        Host: h\r
        Upgrade: websocket\r
        Connection: Upgrade, close\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r

        """

    private func status(
        _ line: String, _ fields: String, options: WebSocketOptions = WebSocketOptions()
    ) async throws -> RawResponse {
        try await withServer {
            $0.webSocket("/ws", options: options, echo)
        } _: { server in
            try await RawClient.exchange(
                "\(line)\r\n\(fields)Connection: close\r\n\r\n", with: server.addresses[0])
        }
    }

    @Test func `is answered 426 when it asks for none`() async throws {
        let response = try await status("GET /ws HTTP/1.1", "Host: h\r\n")
        #expect(response.status == 426)
        #expect(response.fields["upgrade"] == "websocket")
        #expect(response.fields["sec-websocket-version"] == "13")
    }

    @Test func `is answered 403 when a page of another host makes it`() async throws {
        let fields = Self.handshake + "Origin: http://evil.example\r\n"
        #expect(try await status("GET /ws HTTP/1.1", fields).status == 403)
    }

    @Test func `is answered 400 when no subprotocol fits`() async throws {
        var options = WebSocketOptions()
        options.subprotocols = ["chat"]
        let fields = Self.handshake + "Sec-WebSocket-Protocol: news\r\n"
        let response = try await status("GET /ws HTTP/1.1", fields, options: options)
        #expect(response.status == 400)
    }

    @Test func `is answered 405 or 426 when it is of another method or old`() async throws {
        #expect(try await status("POST /ws HTTP/1.1", Self.handshake).status == 405)
        #expect(try await status("GET /ws HTTP/1.0", Self.handshake).status == 426)
    }
}
