import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension NetworkInterfaces {
    /// The addresses now, and again each time they have changed.
    ///
    /// Who is slow gets the latest only. A thread of its own listens to the system until the stream
    /// is dropped or its task is cancelled. Where the system doesn't tell of changes the stream ends
    /// after the first element.
    public static func changes() -> AsyncStream<[InterfaceAddress]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [InterfaceAddress].self, bufferingPolicy: .bufferingNewest(1))
        do throws(Errno) {
            let watch = try NetworkWatch()
            continuation.onTermination = { _ in watch.stop() }
            try Thread.start(name: "wharf-network") {
                watch.run { continuation.yield(Self.addresses) }
                continuation.finish()
            }
        } catch {
            continuation.yield(addresses)
            continuation.finish()
        }
        return stream
    }
}

/// The system's word that addresses have changed: a route socket's, of which only that counts.
final class NetworkWatch: Sendable {
    private let descriptor: Int32
    private let poll: ThreadPoll
    private let isStopped = Locked(false)

    /// Changes come in flocks; this much later the system has done with one, in nanoseconds.
    private static let settling: UInt64 = 100_000_000

    /// Throws what the system says.
    init() throws(Errno) {
        poll = try ThreadPoll()
        descriptor = cwharf_watch_network()
        guard descriptor >= 0 else { throw .current }
    }

    deinit { if descriptor >= 0 { _ = libcClose(descriptor) } }

    /// Has ``run(_:)`` return.
    func stop() {
        isStopped.withLock { $0 = true }
        poll.wake()
    }

    /// Calls the closure now and after changes, until ``stop()``.
    func run(_ tell: () -> Void) {
        tell()
        while !isStopped.withLock({ $0 }) {
            guard !poll.wait(for: [descriptor], until: nil).isEmpty else { continue }
            let settled = System.withoutLoop.now() &+ Self.settling
            _ = poll.wait(for: [], until: settled)
            drain()
            if !isStopped.withLock({ $0 }) { tell() }
        }
    }

    /// Takes what has come off the socket; an overflow (ENOBUFS) is news, too.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 8192)
        for _ in 0..<1000 {
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            if count <= 0, errno != ENOBUFS { return }
        }
    }

    /// What becomes readable when something has changed, for whoever waits with a poll of their own.
    var pollDescriptor: Int32 { descriptor }
}
