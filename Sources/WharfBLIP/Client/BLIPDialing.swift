import WharfBLIPEngine
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfWebSocket

/// Opens connections: the one seam between BLIP and how its clients reach a server.
struct BLIPDialing: Sendable {
    let client: HTTPClient
    let options: BLIPOptions
    /// Sent with the handshake of a WebSocket.
    let fields: HTTPFields

    /// How long a send over TCP may move no byte, in nanoseconds.
    private static let sendPatience: UInt64 = 60_000_000_000

    /// Connects, and runs the link until the connection has ended.
    ///
    /// Throws what keeps it from being opened.
    func carry(_ link: BLIPLink, to address: BLIPAddress) async throws {
        switch address.scheme {
        case .ws, .wss: try await upgrade(link, address)
        case .blip, .blips:
            try await client.loop.confine { [self] in try await connect(link, address) }
        }
    }

    /// Logins, redirects, proxies and TLS are the HTTP client's affair.
    private func upgrade(_ link: BLIPLink, _ address: BLIPAddress) async throws {
        let upgrade = WebSocketUpgrade(options.settled)
        var all = upgrade.fields
        for field in fields { all.append(field) }
        let request = HTTPClient.Request(.get, try HTTPURL(address.httpURL), fields: all)
        try await client.withUpgrade(request) { [options] answer, stream in
            try await upgrade.run(answer, over: stream) { webSocket in
                let version = try options.version(of: webSocket.subprotocol)
                try await link.carry(WebSocketTransport(webSocket), version)
            }
        }
    }

    private func connect(_ link: BLIPLink, _ address: BLIPAddress) async throws {
        let loop = client.loop
        let patience = BLIPOptions.nanoseconds(client.configuration.connectTimeout)
        let deadline = loop.now &+ patience
        let socket = try await Connector(loop: loop, pool: client.pool).connect(
            host: address.host, port: address.port, deadline: deadline)
        defer { socket.close() }
        if address.scheme == .blips {
            let tls = try await client.tlsClient()
            _ = try await socket.secure(with: tls, host: address.host, until: deadline)
        }
        let stream = ByteStream(socket, patience: Self.sendPatience)
        try await link.carry(TCPTransport(stream), .v1)
    }
}
