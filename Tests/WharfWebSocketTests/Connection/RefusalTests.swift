import TestSupport
import Testing
import WharfNet
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
        _ line: String, _ fields: String, options: WebSocketOptions = WebSocketOptions(),
        configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) async throws -> RawResponse {
        try await withServer(
            { $0.webSocket("/ws", options: options, echo) }, configure: configure
        ) { server -> RawResponse in
            // What becomes one after all is closed (RFC 6455 §5.5.1).
            let close: [UInt8] = [0x88, 0x80, 0, 0, 0, 0]
            let head = "\(line)\r\n\(fields)Connection: close\r\n\r\n"
            return RawResponse(
                try await RawClient.exchange(
                    Array(head.utf8) + close, with: server.addresses[0]))
        }
    }

    @Test func `is answered 426 when it asks for none`() async throws {
        let response = try await status("GET /ws HTTP/1.1", "Host: h\r\n")
        #expect(response.status == 426)
        #expect(response.fields["upgrade"] == "websocket")
        #expect(response.fields["sec-websocket-version"] == "13")
    }

    @Test(
        arguments: [
            ("http://evil.example", "", 403), ("null", "", 403), ("http://h", "", 101),
            ("https://h", "", 101), ("http://h:81", "", 403), ("https://app.example", "", 101),
            // A proxy that asks by a name of its own says by which one it was asked.
            ("https://shelf.example", "X-Forwarded-Host: shelf.example\r\n", 101),
            ("https://h", "X-Forwarded-Host: shelf.example\r\n", 403),
        ])
    func `is answered 403 when a page of another site makes it`(
        _ origin: String, _ proxy: String, _ expected: Int
    ) async throws {
        let fields = Self.handshake + proxy + "Origin: \(origin)\r\n"
        let response = try await status("GET /ws HTTP/1.1", fields) {
            $0.protection = Protection(hosts: ["*"], origins: ["https://app.example"])
            $0.trustedProxies = TrustedProxies([AddressRange("127.0.0.0/8")].compactMap(\.self))
        }
        #expect(response.status == expected)
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
