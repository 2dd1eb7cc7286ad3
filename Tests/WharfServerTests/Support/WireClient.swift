import Glibc
import Synchronization
@testable import WharfNet

/// A client of one blocking socket, for what no well-behaved client would send.
///
/// Its calls block a thread of a pool of their own, not the caller's. Each wait ends after ten
/// seconds, so that a server that says nothing is a failure and not a hang.
final class WireClient: Sendable {
    /// What can go wrong at the client's end.
    enum Failure: Error {
        /// Nothing came for ten seconds.
        case silence
        /// The connection ended before the response did; what had come of its body.
        case cut([UInt8])
        /// What came is no response.
        case malformed(String)
    }

    private static let pool = BlockingPool(clock: .withoutLoop, threadCountMax: 512)
    private static let patienceSeconds = 10

    private let descriptor: Mutex<Int32>
    /// Received and not used yet.
    private let inbox = Mutex<[UInt8]>([])

    /// Connects. A small `receiveBufferSize` makes the server feel early that nobody reads.
    init(_ address: SocketAddress, receiveBufferSize: Int32? = nil) async throws {
        descriptor = Mutex(
            try await Self.pool.run {
                let made = try Int32(LiveSockets.make(for: address).get())
                _ = fcntl(made, F_SETFL, 0)
                if let receiveBufferSize { set(made, SOL_SOCKET, SO_RCVBUF, receiveBufferSize) }
                set(
                    made, SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
                )
                set(
                    made, SOL_SOCKET, SO_SNDTIMEO, timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
                )
                if case .failure(let error) = LiveSockets.connect(made, to: address) {
                    Glibc.close(made)
                    throw error
                }
                return made
            })
    }

    deinit { close() }

    // MARK: Sending

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        let descriptor = descriptor.withLock { $0 }
        try await Self.pool.run {
            var sent = 0
            while sent < bytes.count {
                sent += try Self.send(bytes[sent...], on: descriptor, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Sends zeros until the server takes no more for a fifth of a second, or `byteCountMax` are
    /// sent, and answers how many were.
    func sendUntilBlocked(byteCountMax: Int) async throws -> Int {
        let descriptor = descriptor.withLock { $0 }
        return try await Self.pool.run {
            let zeros = [UInt8](repeating: 0, count: 256 * 1024)
            let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
            var sent = 0
            while sent < byteCountMax, Self.poll(descriptor, POLLOUT, milliseconds: 200) {
                sent += try Self.send(zeros.prefix(byteCountMax - sent), on: descriptor, flags)
            }
            return sent
        }
    }

    /// Sends FIN: nothing more comes from here, but answers are read.
    func finish() { shutdown(descriptor.withLock { $0 }, Int32(SHUT_WR)) }

    func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    /// Leaves with RST, as a process that is killed does.
    func reset() {
        descriptor.withLock { LiveSockets.resetOnClose($0) }
        close()
    }

    // MARK: Receiving

    /// Whether nothing has come that was not read yet, and neither has the end.
    var isQuiet: Bool {
        inbox.withLock { $0.isEmpty }
            && !Self.poll(descriptor.withLock { $0 }, POLLIN, milliseconds: 0)
    }

    /// Waits for something to read, at most so long: whether there is something.
    func waitForInput(milliseconds: Int32) async throws -> Bool {
        guard inbox.withLock({ $0.isEmpty }) else { return true }
        let descriptor = descriptor.withLock { $0 }
        return try await Self.pool.run {
            Self.poll(descriptor, POLLIN, milliseconds: milliseconds)
        }
    }

    /// The next bytes, at least one; none at the end.
    func receive() async throws -> [UInt8] {
        let kept = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        if !kept.isEmpty { return kept }
        let descriptor = descriptor.withLock { $0 }
        return try await Self.pool.run {
            var bytes = [UInt8](repeating: 0, count: 256 * 1024)
            switch retrying({ unsafe recv(descriptor, &bytes, bytes.count, 0) }) {
            case .success(let count): return Array(bytes.prefix(count))
            case .failure(let error) where error.isWouldBlock: throw Failure.silence
            case .failure(let error): throw error
            }
        }
    }

    /// So many bytes, or ``Failure/cut(_:)`` with those that came.
    func receive(count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try await receive()
            guard !more.isEmpty else { throw Failure.cut(bytes) }
            bytes += more
        }
        putBack(bytes[count...])
        return Array(bytes[..<count])
    }

    /// All bytes up to the end that the server makes. A reset is thrown.
    func receiveToEnd() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try await receive()
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// All bytes until the connection ends in whichever way.
    func receiveUntilCut() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while true {
                let more = try await receive()
                if more.isEmpty { return bytes }
                bytes += more
            }
        } catch is Errno {
            return bytes
        }
    }

    func putBack(_ bytes: some Sequence<UInt8>) {
        inbox.withLock { $0 = Array(bytes) + $0 }
    }

    // MARK: Calls

    private static func send(_ bytes: ArraySlice<UInt8>, on descriptor: Int32, _ flags: Int32)
        throws
        -> Int
    {
        let result = unsafe bytes.withUnsafeBytes { raw in
            retrying { unsafe Glibc.send(descriptor, raw.baseAddress, raw.count, flags) }
        }
        return try result.get()
    }

    private static func poll(_ descriptor: Int32, _ event: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return unsafe Glibc.poll(&entry, 1, milliseconds) > 0
    }
}

private func set<Value: BitwiseCopyable>(
    _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Value
) {
    var value = value
    _ = unsafe setsockopt(
        descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
}
