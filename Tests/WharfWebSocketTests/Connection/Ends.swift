import WharfHTTP
import WharfNet
import WharfServer
import WharfWebSocket

@testable import WharfWebSocketCodec

/// Runs a server while the closure runs, and stops it at once afterwards.
func withServer<Value>(
    _ routes: (Router) -> Void,
    configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
    let router = Router()
    routes(router)
    var configuration = HTTPServer.Configuration(addresses: [.loopback(port: 0)])
    configuration.protection = nil
    configuration.log = .none
    configure(&configuration)
    let server = try HTTPServer(configuration, router: router)
    async let running: Void = server.run()
    let result: Result<Value, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    await server.stop(within: .zero)
    try await running
    return try result.get()
}

/// Runs a closure on a loop of its own with a connection to the server.
func withSocket<Value: Sendable>(
    to server: HTTPServer, _ body: @escaping @Sendable (Socket) async throws -> Value
) async throws -> Value {
    let loop = EventLoop(system: try System())
    try loop.start()
    defer { loop.stop() }
    let pool = BlockingPool(clock: loop.system)
    return try await loop.confine {
        let connector = Connector(loop: loop, pool: pool)
        let socket = try await connector.connect(
            to: server.addresses, deadline: loop.now &+ 5_000_000_000)
        defer { socket.close() }
        return try await body(socket)
    }
}

/// Runs a closure with a WebSocket to `/ws` of the server.
func withClient<Value: Sendable>(
    of server: HTTPServer, _ options: WebSocketOptions = WebSocketOptions(),
    _ body: @escaping @Sendable (WebSocket) async throws -> Value
) async throws -> Value {
    try await withSocket(to: server) { socket in
        let dial = WebSocketDial(
            authority: "\(server.addresses[0])", path: "/ws", options: options)
        return try await dial.run(over: socket, body)
    }
}

/// A client that writes frames as it likes.
final class RawPeer: @unchecked Sendable {
    // @unchecked: used by the test's one task, on the loop.
    let stream: ByteStream

    /// Shakes hands, and drops the answer's head.
    init(_ socket: Socket, fields: String = "") async throws {
        stream = ByteStream(socket, patience: 5_000_000_000)
        let request = """
            GET /ws HTTP/1.1\r
            Host: h\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \(fields)\r

            """
        try await stream.send(Array(request.utf8))
        var head: [UInt8] = []
        while head.suffix(4) != [13, 10, 13, 10] { head += try await receive(1) }
        guard head.starts(with: Array("HTTP/1.1 101".utf8)) else {
            throw WebSocketHandshakeError(.notWebSocket)
        }
    }

    func send(_ frame: [UInt8]) async throws { try await stream.send(frame) }

    /// The next frame that the server sends: its opcode and payload; `nil` at the end.
    func frame() async throws -> (opcode: WebSocketOpcode, payload: [UInt8])? {
        while true {
            let read = try stream.withInput { try WebSocketFrameHead.read($0) }
            if let (head, count) = read, stream.inputCount >= count + head.payloadCount {
                stream.consume(count)
                return (head.opcode, try await receive(head.payloadCount))
            }
            guard try await receiveMore() else { return nil }
        }
    }

    /// A Close frame's code and whether the server then ended the connection.
    func close() async throws -> (code: Int, hasEnded: Bool) {
        while let frame = try await frame() {
            guard frame.opcode == .close else { continue }
            let code = frame.payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            try await send(WharfWebSocketTests.frame(.close, frame.payload))
            return (code, try await self.frame() == nil)
        }
        return (0, true)
    }

    private func receive(_ count: Int) async throws -> [UInt8] {
        while stream.inputCount < count {
            guard try await receiveMore() else { throw Errno.brokenPipe }
        }
        defer { stream.consume(count) }
        return stream.copyInput(0..<count)
    }

    private func receiveMore() async throws -> Bool {
        while true {
            switch stream.receive(countMax: 65_536) {
            case .bytes: return true
            case .ended, .failed: return false
            case .wouldBlock: break
            }
            let deadline = stream.socket.loop.now &+ 10_000_000_000
            guard await stream.socket.waitReadable(until: deadline) == .ready else {
                throw Errno.timedOut
            }
        }
    }
}

/// A value that a handler leaves for its test.
final class Note<Value: Sendable>: Sendable {
    private let state: Locked<Value>

    init(_ value: Value) { state = Locked(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Sends back what comes.
@Sendable func echo(_ socket: WebSocket) async throws {
    while let message = try await socket.receive() { try await socket.send(message) }
}
