import WharfHTTP
import WharfNet

/// Sends bytes to a server, each time on a new connection, and reads one answer.
final class TestConnector: Sendable {
    let address: SocketAddress
    private let loop: EventLoop
    private let pool: BlockingPool

    /// How long it waits for the server, in nanoseconds.
    private static let patience: UInt64 = 30_000_000_000

    init(_ address: SocketAddress) throws {
        self.address = address
        pool = BlockingPool(clock: .withoutLoop, threadCountMax: 1)
        loop = EventLoop(system: try System(), pool: pool, name: "wharf-test")
        try loop.start()
    }

    func stop() { loop.stop() }

    /// Sends some pieces, then FIN if that is said, and reads what comes until the answer is whole.
    func exchange(
        _ pieces: [[UInt8]], method: HTTPRequest.Method, finishes: Bool = false
    ) async throws -> TestAnswer {
        try await loop.confine { [self] in
            let deadline = loop.now &+ Self.patience
            let connector = Connector(loop: loop, pool: pool)
            let socket = try await connector.connect(to: [address], deadline: deadline)
            defer { socket.close() }
            do {
                for piece in pieces { try await socket.sendAll(piece, patience: Self.patience) }
                if finishes { socket.finishSending() }
            } catch is Errno {
                // A server may answer and close before it has read all: its answer is there.
            }
            return try await read(method, from: socket, until: deadline)
        }
    }

    private func read(
        _ method: HTTPRequest.Method, from socket: Socket, until deadline: UInt64
    ) async throws -> TestAnswer {
        var answer = TestAnswer(to: method)
        while !answer.isComplete {
            let (step, bytes) = socket.receive(countMax: 64 * 1024)
            switch step {
            case .bytes: try answer.append(bytes)
            case .ended:
                answer.end()
                return answer
            case .failed(let error):
                guard answer.hasHead else { throw error }
                return answer
            case .wouldBlock:
                guard await socket.waitReadable(until: deadline) == .ready else {
                    throw Errno.timedOut
                }
            }
        }
        return answer
    }
}
