import Wharf

/// Adds the WebSocket echo at `/ws`.
///
/// Its messages may be as long as the suites like.
func addWebSockets(to router: Router) {
    var options = WebSocketOptions()
    // The suites want short messages compressed, too.
    options.compression?.messageMin = 0
    options.limits = WebSocketLimits(frameMax: 64 << 20, messageMax: 64 << 20)
    router.webSocket("/ws", options: options, on: .loop) { socket in
        while let message = try await socket.receive() { try await socket.send(message) }
    }
}
