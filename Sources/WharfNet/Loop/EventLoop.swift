import CWharf

/// One thread that runs tasks and waits for sockets and deadlines.
///
/// It is a `TaskExecutor`: a task that prefers it runs on its thread, and what such tasks share
/// needs no lock. It runs jobs in rounds: those that are there, then what is due, then what the
/// poller has seen. Nothing that runs here may block.
@safe package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // @unchecked: everything mutable is used on the loop's thread only, but for `foreign`.

    /// The calls to the operating system that this loop makes.
    package let system: System
    /// Nanoseconds, read once a round.
    ///
    /// Use it for deadlines, not for measuring.
    package var now: UInt64 {
        // Inlined into another module it would be checked there.
        @inline(never) get { unsafe roundTime }
    }
    @exclusivity(unchecked) private var roundTime: UInt64
    /// What the clock said last.
    @exclusivity(unchecked) private var lastReading: UInt64
    /// The deadlines of this loop.
    package let wheel: DeadlineWheel
    /// Told, on the loop, when one job has held it for longer than 50 ms, in nanoseconds.
    package var onStall: ((UInt64) -> Void)?
    /// Steps of TLS handshakes that the present round may still take: each costs a millisecond.
    @exclusivity(unchecked) var handshakesLeft = EventLoop.handshakeMax
    private static let handshakeMax = 8
    /// Memory to receive into, lent to one call at a time.
    let scratch: ScratchMemory

    private struct Foreign {
        var jobs: [UnownedJob] = []
        var interrupted: [TimedEntry] = []
        var sleep = Sleep.none
        var thread = ThreadState.none

        /// Something came for the loop; true when its thread has ended and has to be started again.
        mutating func revive() -> Bool {
            guard thread == .ended else { return false }
            thread = .stopping
            return true
        }
    }

    /// Whether the loop waits in the poller, or is about to.
    private enum Sleep {
        case none
        /// It will wake by itself very soon, to look after the pool.
        case short
        case long
    }

    private enum ThreadState {
        /// Not started, or driven by somebody who calls ``turn(mayWait:)``.
        case none
        case running
        case stopping
        /// Its thread has ended; what comes late gets a thread for a moment.
        case ended
    }

    private static let stallTime: UInt64 = 50_000_000

    private let foreign = Locked(Foreign())
    @exclusivity(unchecked) private var local: [UnownedJob] = []
    @exclusivity(unchecked) private var running: [UnownedJob] = []
    @exclusivity(unchecked) private var interrupted: [TimedEntry] = []
    @exclusivity(unchecked) private var events: [PollEvent] = []
    @exclusivity(unchecked) private var sockets = SocketTable()
    /// Tasks that let others run first.
    @exclusivity(unchecked) private var putOffTasks: [UnsafeContinuation<Void, Never>] = unsafe []
    @exclusivity(unchecked) private var forPool: [PoolState.Work] = []
    @exclusivity(unchecked) private var hotBuffer: [UInt8] = []
    @exclusivity(unchecked) private var spareBuffers: [[UInt8]] = []
    private let name: String

    /// Makes a loop that does not run yet.
    package init(system: System, pool: BlockingPool? = nil, name: String = "wharf-loop") {
        self.pool = pool
        self.system = system
        self.name = name
        unsafe lastReading = system.now()
        unsafe roundTime = lastReading
        wheel = unsafe DeadlineWheel(now: roundTime)
        scratch = ScratchMemory(count: 256 * 1024)
    }

    /// The pool that this loop's tasks give their blocking work to; the loop looks after it.
    package let pool: BlockingPool?

    /// The loop that runs on the calling thread.
    static var current: EventLoop? {
        guard let loop = unsafe cwharf_current_loop() else { return nil }
        return unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue()
    }

    /// True on the loop's own thread, while it runs.
    package var isCurrent: Bool {
        unsafe cwharf_current_loop() == Unmanaged.passUnretained(self).toOpaque()
    }

    // MARK: Running

    /// Starts the loop's thread.
    ///
    /// Throws what starting a thread throws.
    package func start() throws(Errno) {
        foreign.withLock { $0.thread = .running }
        try startThread()
    }

    private func startThread() throws(Errno) {
        try Thread.start(name: name) { [self] in
            unsafe lastReading = system.now()
            while round(mayWait: true) {}
        }
    }

    /// Ends the thread when its present round is over.
    package func stop() {
        foreign.withLock { if $0.thread == .running { $0.thread = .stopping } }
        system.wake()
    }

    /// Takes a job from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            unsafe local.append(job)
            return
        }
        let (sleep, hasEnded) = foreign.withLock { foreign in
            foreign.jobs.append(job)
            return (foreign.sleep, foreign.revive())
        }
        switch sleep {
        case .none: break
        case .short: if !BlockingPool.putsOffWaking(self) { wakeIfAsleep() }
        case .long: wakeIfAsleep()
        }
        if hasEnded { runAgain() }
    }

    /// Ends the loop's sleep, if it sleeps.
    ///
    /// Callable from any thread.
    func wakeIfAsleep() {
        let isAsleep = foreign.withLock { foreign in
            defer { foreign.sleep = .none }
            return foreign.sleep != .none
        }
        if isAsleep { system.wake() }
    }

    /// Keeps work for the pool until the round ends.
    func putAside(_ work: PoolState.Work) {
        unsafe forPool.append(work)
    }

    /// Makes an entry's owner stop waiting.
    ///
    /// Callable from any thread.
    package func interrupt(_ entry: TimedEntry) {
        let hasEnded = foreign.withLock { foreign in
            foreign.interrupted.append(entry)
            return foreign.revive()
        }
        wakeIfAsleep()
        if hasEnded { runAgain() }
    }

    /// One round, for whoever drives the loop.
    ///
    /// False when the loop has been told to stop and has nothing left to run.
    @discardableResult
    package func turn(mayWait: Bool) -> Bool {
        unsafe lastReading = system.now()
        return round(mayWait: mayWait)
    }

    private func round(mayWait: Bool) -> Bool {
        let before = unsafe cwharf_current_loop()
        unsafe cwharf_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
        defer { unsafe cwharf_set_current_loop(before) }
        unsafe roundTime = lastReading
        unsafe handshakesLeft = Self.handshakeMax
        takeForeign()
        runJobs()
        guard poll(mayWait: mayWait) else { return false }
        return true
    }

    /// True when a job waits to be run; for whoever drives the loop.
    package var hasJobs: Bool {
        unsafe !local.isEmpty || !putOffTasks.isEmpty
            || foreign.withLock { !$0.jobs.isEmpty || !$0.interrupted.isEmpty }
    }

    private func takeForeign() {
        foreign.withLock { foreign in
            foreign.sleep = .none
            if !foreign.jobs.isEmpty {
                unsafe local.append(contentsOf: foreign.jobs)
                foreign.jobs.removeAll(keepingCapacity: true)
            }
            if !foreign.interrupted.isEmpty { unsafe swap(&interrupted, &foreign.interrupted) }
        }
        guard unsafe !interrupted.isEmpty else { return }
        for entry in unsafe interrupted { entry.interrupt() }
        unsafe interrupted.removeAll(keepingCapacity: true)
    }

    func putOff(_ task: UnsafeContinuation<Void, Never>) {
        unsafe putOffTasks.append(task)
    }

    private func runJobs() {
        if unsafe !putOffTasks.isEmpty {
            for index in unsafe putOffTasks.indices { unsafe putOffTasks[index].resume() }
            unsafe putOffTasks.removeAll(keepingCapacity: true)
        }
        guard unsafe !local.isEmpty else { return }
        unsafe swap(&local, &running)
        let executor = unsafe asUnownedTaskExecutor()
        for job in unsafe running {
            unsafe job.runSynchronously(on: executor)
            watch()
        }
        unsafe running.removeAll(keepingCapacity: true)
    }

    /// Reads the clock after a step of the round, and tells of one that has held the loop too long.
    private func watch() {
        let present = system.now()
        let taken = unsafe present &- lastReading
        unsafe lastReading = present
        if taken > Self.stallTime { onStall?(taken) }
    }

    /// Waits for events and deadlines and hands them out.
    ///
    /// False when it is time to end.
    private func poll(mayWait: Bool) -> Bool {
        var timeout: UInt64? = 0
        let isSupervising = unsafe pool?.supervise(adding: &forPool, at: now) ?? false
        if unsafe mayWait && local.isEmpty && putOffTasks.isEmpty {
            let (maySleep, mustEnd) = foreign.withLock { foreign in
                guard foreign.jobs.isEmpty, foreign.interrupted.isEmpty else {
                    return (false, false)
                }
                guard foreign.thread != .stopping else {
                    foreign.thread = .ended
                    return (false, true)
                }
                foreign.sleep = isSupervising ? .short : .long
                return (true, false)
            }
            if mustEnd { return false }
            if maySleep {
                let present = unsafe lastReading
                timeout = wheel.nextTime.map { $0 > present ? $0 - present : 0 }
                if isSupervising {
                    timeout = min(timeout ?? .max, BlockingPool.supervisedSleepMax)
                }
            }
        }
        unsafe system.wait(into: &events, timeout: timeout)
        unsafe lastReading = system.now()
        unsafe roundTime = lastReading
        if unsafe !events.isEmpty {
            for event in unsafe events {
                unsafe sockets[event.token]?.handle(event)
                watch()
            }
            unsafe events.removeAll(keepingCapacity: true)
        }
        wheel.advance(to: now)
        return true
    }

    /// Deals with what came after the end.
    private func runAgain() {
        do throws(Errno) {
            try startThread()
        } catch {
            // No thread to be had: the jobs wait for the next one that asks.
            foreign.withLock { $0.thread = .ended }
        }
    }

    // MARK: Buffers

    /// Swaps an unused buffer for one with memory from an earlier use, if there is one.
    func takeBuffer(_ buffer: inout [UInt8]) {
        if unsafe hotBuffer.capacity == 0, let spare = unsafe spareBuffers.popLast() {
            unsafe hotBuffer = spare
        }
        unsafe swap(&hotBuffer, &buffer)
    }

    /// Takes an empty buffer's memory for the next who needs some.
    func giveBack(_ buffer: inout [UInt8]) {
        // A large one is rare and would stay for ever.
        guard buffer.capacity <= Self.spareCapacityMax else { return buffer = [] }
        unsafe swap(&hotBuffer, &buffer)
        guard buffer.capacity > 0 else { return }
        if unsafe spareBuffers.count < Self.spareCountMax { unsafe spareBuffers.append(buffer) }
        buffer = []
    }

    private static let spareCapacityMax = 128 * 1024
    private static let spareCountMax = 16

    // MARK: Sockets

    func insert(_ socket: Socket) -> UInt64 { unsafe sockets.insert(socket) }

    func remove(_ socket: Socket) { unsafe sockets.remove(socket.token) }

    /// Calls the closure for each open socket of the loop.
    package func forEachSocket(_ body: (Socket) -> Void) {
        for socket in unsafe sockets.all { body(socket) }
    }
}
