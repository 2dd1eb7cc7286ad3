import WharfNet

@testable import WharfServer

/// A client over TLS; all of them share a loop.
struct SecureClient: Sendable {
    private static let loop = Result { () throws(Errno) in
        let loop = EventLoop(system: try System())
        try loop.start()
        return loop
    }
    private static let patience: UInt64 = 10_000_000_000

    private let loop: EventLoop
    private let stream: ByteStream
    let session: TLSSession

    init(
        _ address: SocketAddress, _ client: TLSClient, host: String = "localhost"
    ) async throws {
        loop = try Self.loop.get()
        let connector = Connector(
            loop: loop, pool: BlockingPool(clock: .withoutLoop, threadCountMax: 1))
        let deadline = loop.system.now() + Self.patience
        let socket = try await connector.connect(to: [address], deadline: deadline)
        session = try await loop.confine {
            do {
                return try await socket.secure(with: client, host: host, until: deadline)
            } catch {
                socket.close()
                throw error
            }
        }
        stream = ByteStream(socket, patience: Self.patience)
    }

    func close() async throws {
        try await loop.confine { [stream] in stream.socket.close() }
    }

    func send(_ text: String) async throws {
        try await loop.confine { [stream] in
            try await stream.send(Array(text.utf8))
        }
    }

    /// Reads until `text` has come, or the end.
    func read(through text: String) async throws -> String {
        try await loop.confine { [stream] in
            while true {
                let all = stream.withInput { Array($0) }
                if let end = String(decoding: all, as: UTF8.self).range(of: text) {
                    let read = String(decoding: all, as: UTF8.self)[..<end.upperBound]
                    stream.consume(read.utf8.count)
                    return String(read)
                }
                guard try await Self.receive(stream) else {
                    return String(decoding: stream.takeInput(), as: UTF8.self)
                }
            }
        }
    }

    /// Reads until the end; throws when it is no proper one.
    func readAll() async throws -> [UInt8] {
        try await loop.confine { [stream] in
            while try await Self.receive(stream) {}
            return stream.takeInput()
        }
    }

    private static func receive(_ stream: ByteStream) async throws -> Bool {
        while true {
            switch stream.receive(countMax: 65_536) {
            case .bytes: return true
            case .ended: return false
            case .failed(let error): throw error
            case .wouldBlock:
                let deadline = stream.socket.loop.now + patience
                guard await stream.socket.waitReadable(until: deadline) == .ready else {
                    throw Errno.timedOut
                }
            }
        }
    }
}

extension Array where Element == UInt8 {
    init(_ span: Span<UInt8>) {
        self = []
        for index in span.indices { append(span[index]) }
    }
}

extension String {
    /// Where a text is; Foundation's would do as well, and is not needed for anything else.
    fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

/// Identities and ends of connections for tests, made once.
enum SecureTest {
    static let localhost = make("localhost", "127.0.0.1", "::1")
    static let renewed = make("localhost", "127.0.0.1", "::1")
    static let visitor = make("visitor.test")

    private static func make(_ hosts: String...) -> TLSIdentity {
        try! TLSIdentity.selfSigned(hosts: hosts)
    }

    static func client(
        _ configure: (inout TLSClientConfiguration) -> Void = { _ in }
    ) throws -> TLSClient {
        var configuration = TLSClientConfiguration(
            trust: .certificates([localhost.certificate, renewed.certificate]))
        configure(&configuration)
        return try TLSClient(configuration)
    }
}
