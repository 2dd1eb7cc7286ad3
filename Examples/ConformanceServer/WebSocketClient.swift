import WharfWebSocketCodec
import Wharf
import WharfNet
import WharfWebSocket

/// Goes through the cases of a fuzzing server (Autobahn's protocol): `--websocket-client PORT`.
func runWebSocketClient(port: UInt16) async throws {
    let loop = EventLoop(system: try System())
    try loop.start()
    let pool = BlockingPool(clock: loop.system)
    let address = SocketAddress.loopback(port: port)

    @Sendable func connect(
        _ path: String, _ use: @escaping @Sendable (WebSocket) async throws -> Void
    ) async throws {
        var options = WebSocketOptions()
        options.compression?.messageMin = 0
        options.limits = WebSocketLimits(frameMax: 64 << 20, messageMax: 64 << 20)
        let dial = WebSocketDial(authority: "\(address)", path: path, options: options)
        try await loop.confine {
            let deadline = loop.now &+ 10_000_000_000
            let socket = try await Connector(loop: loop, pool: pool)
                .connect(to: [address], deadline: deadline)
            try await dial.run(over: socket, use)
        }
    }

    let caseCount = Latest("0")
    // Some servers end these two connections without a Close.
    try? await connect("/getCaseCount") { socket in
        if case .text(let text)? = try await socket.receive() { caseCount.text = text }
    }
    guard let count = Int(caseCount.text), count > 0 else {
        throw WebSocketHandshakeError(.malformedAnswer)
    }
    for number in 1...count {
        // What the server breaks on purpose ends a case; its report says whether that was right.
        try? await connect("/runCase?case=\(number)&agent=wharf") { socket in
            while let message = try await socket.receive() { try await socket.send(message) }
        }
    }
    try? await connect("/updateReports?agent=wharf") { _ = try await $0.receive() }
    loop.stop()
}

/// A text that one task leaves for another after it.
private final class Latest: @unchecked Sendable {
    // @unchecked: the second task begins when the first has ended.
    var text: String

    init(_ text: String) { self.text = text }
}
