/// How a wait for a socket ended.
package enum Readiness: Sendable {
    /// The next call on the socket will not block, or will tell the end or the error.
    case ready
    /// The deadline has passed.
    case timedOut
    /// Somebody asked the socket's user to stop.
    case interrupted
    /// Another task waits already; two cannot.
    case busy
}

/// What one call to receive brought.
package enum ReceiveStep: Sendable {
    case bytes(Int)
    /// Nothing there: wait.
    case wouldBlock
    /// The peer has finished.
    case ended
    case failed(Errno)
}

/// Whoever waits for a socket and can often deal with what comes without being resumed.
package protocol IdleReader: AnyObject {
    /// Something can be read. It is called on the loop, outside of the task that waits.
    ///
    /// Answers until when to go on waiting, in nanoseconds, or `nil` to be resumed.
    func dealWithInput() -> UInt64?
}

/// One connected or listening socket, confined to its loop.
///
/// It is registered once, for both directions, edge-triggered; the flags here remember what the
/// poller said. At most one task waits to read and one to write. Waits have a deadline; a call
/// that moves bytes needs none, since it never blocks.
@safe package final class Socket: TimedEntry, @unchecked Sendable {
    // @unchecked: used on its loop's thread only.

    package let loop: EventLoop
    @exclusivity(unchecked) private(set) var descriptor: Int32
    @exclusivity(unchecked) private(set) var token: UInt64 = 0

    /// What lies between the bytes of its users and the kernel's.
    @exclusivity(unchecked) var transport = Transport.plain

    /// Whether there may be something to read; under TLS, something decrypted.
    @exclusivity(unchecked) var isReadable = true
    /// Whether the kernel may have something, which matters under TLS only.
    @exclusivity(unchecked) var mayReceive = true
    @exclusivity(unchecked) var isWritable = true
    /// The peer has sent FIN: it may still read what we send.
    @exclusivity(unchecked) package internal(set) var peerHasFinished = false
    /// The connection is gone both ways.
    @exclusivity(unchecked) package internal(set) var isBroken = false
    @exclusivity(unchecked) package private(set) var isInterrupted = false

    @exclusivity(unchecked) private var reader: UnsafeContinuation<Readiness, Never>?
    @exclusivity(unchecked) private var writer: UnsafeContinuation<Readiness, Never>?
    @exclusivity(unchecked) private var readDeadline = UInt64.max
    @exclusivity(unchecked) private var writeDeadline = UInt64.max

    /// Deals with what comes while a task waits to read; the task is resumed only if it wants that.
    ///
    /// Resuming a task costs as much as reading a small request.
    @exclusivity(unchecked) private unowned var idler: (any IdleReader)?

    /// Sets who deals with input from now on; its owner ends that before it dies.
    package func letDealWithInput(_ idler: (any IdleReader)?) {
        unsafe self.idler = idler
    }

    /// What was moved since the task last gave others a turn.
    @exclusivity(unchecked) var turnBytes = 0
    @exclusivity(unchecked) var turnOperations = 0
    @exclusivity(unchecked) var pace = Pace()
    /// Bytes that the kernel has taken to send.
    @exclusivity(unchecked) var sentByteCount: Int64 = 0
    /// Bytes that were received.
    @exclusivity(unchecked) var receivedByteCount: Int64 = 0

    private var task: UnsafeCurrentTask?
    /// While it is true, a connection that breaks cancels the remembered task.
    package var cancelsTask = false {
        didSet { if hasLeft { cancelTask() } }
    }
    /// While it is true, a peer that has finished counts as one that has left.
    package var cancelsTaskAtFinish = false

    private var hasLeft: Bool { unsafe isBroken || (peerHasFinished && cancelsTaskAtFinish) }

    /// Takes over a non-blocking descriptor; it is closed if it can't be registered.
    package init(_ descriptor: Int32, loop: EventLoop) throws(Errno) {
        self.loop = loop
        unsafe self.descriptor = descriptor
        super.init()
        unsafe token = loop.insert(self)
        do throws(Errno) {
            unsafe try loop.system.register(descriptor, token: token)
        } catch {
            close()
            throw error
        }
    }

    /// True until ``close()``.
    package var isOpen: Bool { unsafe descriptor >= 0 }

    // MARK: Waiting

    /// Waits until there is something to read, or until `deadline` (nanoseconds, `.max`: never).
    package func waitReadable(until deadline: UInt64) async -> Readiness {
        assert(loop.isCurrent)
        if unsafe isReadable { return isOpen ? .ready : .interrupted }
        if unsafe isInterrupted { return .interrupted }
        guard unsafe reader == nil else { return .busy }
        restTurn()
        unsafe readDeadline = deadline
        loop.wheel.arm(self, by: deadline)
        return unsafe await withUnsafeContinuation { unsafe reader = $0 }
    }

    /// Waits until something can be written, or until `deadline` (nanoseconds, `.max`: never).
    package func waitWritable(until deadline: UInt64) async -> Readiness {
        assert(loop.isCurrent)
        if unsafe isWritable { return isOpen ? .ready : .interrupted }
        if unsafe isInterrupted { return .interrupted }
        guard unsafe writer == nil else { return .busy }
        restTurn()
        unsafe writeDeadline = deadline
        loop.wheel.arm(self, by: deadline)
        return unsafe await withUnsafeContinuation { unsafe writer = $0 }
    }

    /// Ends present and future waits.
    ///
    /// What can be done without waiting still can.
    package override func interrupt() {
        assert(loop.isCurrent)
        unsafe isInterrupted = true
        resumeReader(.interrupted)
        resumeWriter(.interrupted)
    }

    /// Ends the present wait for reading only; the next one waits again.
    package func nudgeReader() {
        resumeReader(.interrupted)
    }

    /// Ends the present waits only; the next ones wait again.
    func nudge() {
        resumeReader(.interrupted)
        resumeWriter(.interrupted)
    }

    /// False when nothing can be there to read, as far as the poller has told.
    package var mayHaveInput: Bool { unsafe isReadable && isOpen }

    /// True when the task has used up its turn and others should have one: 1 MiB or 16 calls.
    package var hasUsedItsTurn: Bool { unsafe turnBytes >= 1 << 20 || turnOperations >= 16 }

    /// Lets others have a turn if this task has used up its own.
    package func yieldIfDue() async {
        guard hasUsedItsTurn else { return }
        restTurn()
        await loop.yield()
    }

    private func restTurn() {
        unsafe turnBytes = 0
        unsafe turnOperations = 0
    }

    // MARK: Listening and connecting

    /// Accepts one connection, or answers `nil` when none waits.
    package func accept() throws(Errno) -> (descriptor: Int32, peer: SocketAddress)? {
        guard isOpen else { throw .cancelled }
        var peer: SocketAddress?
        switch unsafe loop.system.accept(descriptor, peer: &peer) {
        case .success(let accepted):
            return (Int32(accepted), peer ?? .unix(path: ""))
        case .failure(let error) where error.isWouldBlock:
            unsafe isReadable = false
            return nil
        case .failure(let error):
            throw error
        }
    }

    /// Says that connecting has begun: the socket is not writable until it is done.
    func noteConnecting() { unsafe isWritable = false }

    // MARK: Ending

    /// Sends FIN.
    package func finishSending() {
        if isOpen { unsafe loop.system.finishSending(descriptor) }
    }

    /// Closes at once with RST, so that the peer can't take a cut answer for a whole one.
    package func reset() {
        if isOpen { unsafe loop.system.resetOnClose(descriptor) }
        // No farewell either.
        unsafe isBroken = true
        close()
    }

    /// Closes.
    ///
    /// Waits end; nothing is sent that the kernel does not hold already.
    package func close() {
        assert(loop.isCurrent)
        guard isOpen else { return }
        if case .tls(let pump) = unsafe transport, unsafe !isBroken { _ = pump.sayGoodbye() }
        loop.remove(self)
        loop.wheel.remove(self)
        unsafe loop.system.close(descriptor)
        unsafe descriptor = -1
        interrupt()
    }

    /// Says that nothing can be moved any more, which the poller does not know: who waits to read
    /// is to see it.
    func noteBroken() {
        unsafe isBroken = true
        unsafe isReadable = true
        resumeReader(.ready)
    }

    // MARK: What the loop says

    func handle(_ event: PollEvent) {
        if event.peerHasFinished { unsafe peerHasFinished = true }
        if event.isBroken { unsafe isBroken = true }
        if unsafe event.isReadable || peerHasFinished || isBroken {
            unsafe isReadable = true
            unsafe mayReceive = true
            letRead()
        }
        if unsafe event.isWritable || isBroken {
            unsafe isWritable = true
            resumeWriter(.ready)
        }
        if hasLeft { cancelTask() }
    }

    private func letRead() {
        restTurn()
        if unsafe reader != nil, unsafe !isBroken, let until = unsafe idler?.dealWithInput() {
            unsafe readDeadline = until
            loop.wheel.arm(self, by: until)
        } else {
            resumeReader(.ready)
        }
    }

    package override func fire(at now: UInt64) -> UInt64? {
        if unsafe readDeadline <= now { resumeReader(.timedOut) }
        if unsafe writeDeadline <= now { resumeWriter(.timedOut) }
        let next = unsafe min(readDeadline, writeDeadline)
        return next == .max ? nil : next
    }

    /// Remembers the calling task, which has to end after its last use of ``cancelsTask``.
    package func rememberTask() {
        unsafe withUnsafeCurrentTask { unsafe task = $0 }
    }

    /// Cancels the remembered task, if that is wanted now.
    package func cancelTask() {
        guard cancelsTask, let task = unsafe task else { return }
        unsafe task.cancel()
    }

    private func resumeReader(_ readiness: Readiness) {
        guard let waiting = unsafe reader else { return }
        unsafe reader = nil
        unsafe readDeadline = .max
        unsafe waiting.resume(returning: readiness)
    }

    private func resumeWriter(_ readiness: Readiness) {
        guard let waiting = unsafe writer else { return }
        unsafe writer = nil
        unsafe writeDeadline = .max
        unsafe waiting.resume(returning: readiness)
    }
}
