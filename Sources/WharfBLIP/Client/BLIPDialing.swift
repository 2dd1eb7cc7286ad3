import WharfBLIPEngine
import WharfHTTP
import WharfNet
import WharfWebSocket

/// Opens connections: the one seam between BLIP and how its clients reach a server.
struct BLIPDialing: Sendable {
    let loop: EventLoop
    let pool: BlockingPool
    let options: BLIPOptions
    /// Sent with the handshake of a WebSocket.
    let fields: HTTPFields
    /// How long finding the server, connecting and agreeing may take, in nanoseconds.
    let patience: UInt64

    /// How long a send over TCP may move no byte, in nanoseconds.
    private static let sendPatience: UInt64 = 60_000_000_000

    /// Connects, and runs the link until the connection has ended.
    ///
    /// Throws what keeps it from being opened.
    func carry(_ link: BLIPLink, to address: BLIPAddress) async throws {
        try await loop.confine { [self] in
            let socket = try await Connector(loop: loop, pool: pool).connect(
                host: address.host, port: address.port, deadline: loop.now &+ patience)
            switch address.scheme {
            case .blip:
                defer { socket.close() }
                let stream = ByteStream(socket, patience: Self.sendPatience)
                try await link.carry(TCPTransport(stream), .v1)
            case .ws:
                var dial = WebSocketDial(
                    authority: address.authority, path: address.path, options: options.settled)
                dial.fields = fields
                dial.patience = patience
                try await dial.run(over: socket) { webSocket in
                    let version = try options.version(of: webSocket.subprotocol)
                    try await link.carry(WebSocketTransport(webSocket), version)
                }
            }
        }
    }
}
