import Synchronization

/// A host's name could not be turned into addresses.
public struct NameLookupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let host: String
    /// The number as `getaddrinfo` has it: `EAI_NONAME` for a name that nobody has.
    public let code: Int32

    /// Makes an error with a number as `getaddrinfo` has it.
    public init(host: String, code: Int32) {
        self.host = host
        self.code = code
    }

    /// The name and the system's own text.
    public var description: String { "\(host): \(LiveNames.text(of: code))" }
}

extension EventLoop {
    /// The addresses of a host, looked up on the pool.
    ///
    /// To be called on the loop.
    ///
    /// Throws ``NameLookupError``, `ETIMEDOUT` past `deadline` (nanoseconds), `CancellationError`.
    func addresses(
        of host: String, port: UInt16, pool: BlockingPool, until deadline: UInt64
    ) async throws -> [SocketAddress] {
        try await NameLookup(loop: self)
            .addresses(of: host, port: port, pool: pool, until: deadline)
    }
}

/// One look-up on a thread of the pool, which a task on a loop waits for.
///
/// `getaddrinfo` can't be stopped: a task that gives up leaves it to end by itself.
@safe private final class NameLookup: TimedEntry, @unchecked Sendable {
    // @unchecked: used on the loop only, but for `outcome`.

    private let loop: EventLoop
    private let outcome = NameLookupOutcome()
    private var deadline: UInt64 = .max
    private var waiter: UnsafeContinuation<Void, Never>?

    init(loop: EventLoop) {
        self.loop = loop
        super.init()
    }

    func addresses(
        of host: String, port: UInt16, pool: BlockingPool, until deadline: UInt64
    ) async throws -> [SocketAddress] {
        let system = loop.system
        pool.submit { [self] in
            settle(system.lookUp(host, port: port).mapError { $0 as any Error })
        }
        return try await withTaskCancellationHandler {
            await wait(until: deadline)
            return try (outcome.result ?? .failure(Errno.timedOut)).get()
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }

    private func wait(until deadline: UInt64) async {
        guard outcome.result == nil else { return }
        self.deadline = deadline
        loop.wheel.arm(self, by: deadline)
        defer { loop.wheel.remove(self) }
        unsafe await withUnsafeContinuation { unsafe waiter = $0 }
    }

    /// Callable from any thread.
    private func settle(_ result: Result<[SocketAddress], any Error>) {
        outcome.settle(result)
        loop.interrupt(self)
    }

    override func interrupt() {
        guard let waiting = unsafe waiter else { return }
        unsafe waiter = nil
        unsafe waiting.resume()
    }

    override func fire(at now: UInt64) -> UInt64? {
        guard now >= deadline else { return deadline }
        interrupt()
        return nil
    }
}

/// What a look-up came to, from whichever thread that was told first.
private final class NameLookupOutcome: Sendable {
    private let state = Mutex<Result<[SocketAddress], any Error>?>(nil)

    var result: Result<[SocketAddress], any Error>? { state.withLock { $0 } }

    func settle(_ result: Result<[SocketAddress], any Error>) {
        state.withLock { $0 = $0 ?? result }
    }
}
