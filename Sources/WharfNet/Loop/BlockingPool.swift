import CWharf
import Synchronization

/// Threads for code that may block: people's handlers, disks, name look-up.
///
/// Swift's own pool has one thread a core, and a handler that blocks stalls everybody there; here
/// another thread is put to work when one blocks, up to a maximum. A thread ends after ten idle
/// seconds.
///
/// Waking a thread costs more than most handlers do, so as long as nothing blocks one thread takes
/// all that the loops have queued in a round, and the loops are woken once for the lot. The loops
/// look after the queue (``supervise(at:)``): when no thread has taken anything for a millisecond,
/// those that are at work are blocked, and another one is put to work.
package final class BlockingPool: TaskExecutor, @unchecked Sendable {
    // @unchecked: `state` is used under the monitor's lock.

    private let monitor = Monitor()
    private var state = PoolState()
    private let queueCount = Atomic<Int>(0)
    /// Where it has its time from.
    package let clock: System
    private let threadCountMax: Int
    private let idleSeconds: Int
    private let isDriven: Bool
    /// What ``runIfRoom(_:)`` was given and no thread has taken yet.
    private let waitingCount = Atomic<Int>(0)
    /// Threads that run something now.
    private let busyCount = Atomic<Int>(0)
    private let queueMax: Int

    private static let patience: UInt64 = 1_000_000

    /// Makes a pool without threads.
    ///
    /// `queueMax` bounds what waits in ``runIfRoom(_:)`` beyond one piece of work a thread. A driven pool
    /// has no threads: somebody calls ``turn()``.
    package init(
        clock: System, threadCountMax: Int = 64, queueMax: Int = 1024, idleSeconds: Int = 10,
        isDriven: Bool = false
    ) {
        self.clock = clock
        self.threadCountMax = threadCountMax
        self.idleSeconds = idleSeconds
        self.isDriven = isDriven
        self.queueMax = queueMax
    }

    // MARK: Giving it work

    /// Runs asynchronous work that may block on threads of the pool, or answers `nil` when too much
    /// waits for a thread already.
    ///
    /// Work that has begun takes no place, even if it is suspended. Throws what the work throws.
    @concurrent
    package func runIfRoom<Value: Sendable>(
        _ work: @concurrent @Sendable @escaping () async throws -> Value
    ) async throws -> Value? {
        let freeCount = max(0, threadCountMax - busyCount.load(ordering: .relaxed))
        guard waitingCount.add(1, ordering: .relaxed).oldValue < queueMax + freeCount else {
            waitingCount.subtract(1, ordering: .relaxed)
            return nil
        }
        return try await runTask { [self] in
            waitingCount.subtract(1, ordering: .relaxed)
            return try await work()
        }
    }

    /// Runs blocking work on a thread of the pool.
    ///
    /// Throws what the work throws.
    package func run<Value: Sendable>(
        _ work: @Sendable @escaping () throws -> Value
    ) async throws -> Value {
        try await runTask { try work() }
    }

    /// Runs asynchronous work that may block on threads of the pool. Throws what the work throws.
    //
    // `@concurrent` matters: `withTaskExecutorPreference` returns on the executor that it went to,
    // and only after a concurrent function does the caller go back to its own.
    @concurrent
    package func runTask<Value: Sendable>(
        _ work: @concurrent @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(self) {
            await arrive()
            return try await work()
        }
    }

    /// Brings the task onto a thread of the pool; see `EventLoop.arrive`.
    @concurrent @inline(never)
    private func arrive() async {
        let isThere = Self.isWorker
        assert(isThere || isDriven, "the task did not get onto the pool")
    }

    private static var isWorker: Bool { unsafe cwharf_current_worker() != nil }

    /// Runs blocking work that no task waits for, so that whoever wants its outcome may give up.
    ///
    /// The work has to tell its outcome itself.
    package func submit(_ work: @Sendable @escaping () -> Void) {
        add(.closure(work))
    }

    /// Takes a job from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    private func add(_ work: PoolState.Work) {
        // A loop of this pool hands over what its round has brought together.
        if let loop = EventLoop.current, loop.pool === self { return loop.putAside(work) }
        let help = monitor.locked { () -> PoolState.Help in
            state.add(work)
            queueCount.store(state.count, ordering: .relaxed)
            return isDriven ? .none : ask()
        }
        give(help)
    }

    // MARK: Being looked after

    /// Takes over what a loop's round has brought, and gets a thread to work when none is, or when
    /// those that are seem to be blocked.
    ///
    /// Loops call it at the end of each round, with their time. True: something is queued, and the
    /// loop is not to sleep for longer than ``supervisedSleepMax``.
    func supervise(adding works: inout [PoolState.Work], at now: UInt64) -> Bool {
        guard !works.isEmpty || queueCount.load(ordering: .relaxed) > 0 else { return false }
        let (help, isQueued) = monitor.locked { () -> (PoolState.Help, Bool) in
            for work in works { state.add(work) }
            queueCount.store(state.count, ordering: .relaxed)
            guard state.count > 0, !isDriven else { return (.none, false) }
            if state.isAtRest { return (ask(), true) }
            guard now > state.lastTaken, now - state.lastTaken > Self.patience else {
                return (.none, true)
            }
            // One more each millisecond, not one each round.
            state.lastTaken = now
            return (ask(), true)
        }
        works.removeAll(keepingCapacity: true)
        give(help)
        return isQueued
    }

    /// Nanoseconds; see ``supervise(adding:at:)``.
    static let supervisedSleepMax: UInt64 = 1_000_000

    /// A loop that will wake by itself soon has got an answer from this thread.
    ///
    /// True: it will be woken when the queue is empty, once for all that was answered till then.
    static func putsOffWaking(_ loop: EventLoop) -> Bool {
        guard let pointer = unsafe cwharf_current_worker() else { return false }
        let worker = unsafe Unmanaged<Worker>.fromOpaque(pointer).takeUnretainedValue()
        guard worker.pool.queueCount.load(ordering: .relaxed) > 0 else { return false }
        if !worker.unwokenLoops.contains(where: { $0 === loop }) {
            worker.unwokenLoops.append(loop)
        }
        return true
    }

    /// One thread of the pool.
    private final class Worker {
        let pool: BlockingPool
        var unwokenLoops: [EventLoop] = []

        init(pool: BlockingPool) {
            self.pool = pool
        }
    }

    // MARK: Being driven

    /// How many threads there are.
    package var threadCount: Int { monitor.locked { state.threadCount } }

    /// True when something waits to be run; for whoever drives the pool.
    package var hasJobs: Bool { monitor.locked { state.count > 0 } }

    /// Runs one piece of work on the calling thread, if there is one; for whoever drives the pool.
    package func turn() -> Bool {
        guard let work = monitor.locked({ next() }) else { return false }
        run(work)
        return true
    }

    // MARK: Threads

    private func ask() -> PoolState.Help {
        state.askForHelp(threadCountMax: threadCountMax)
    }

    /// Outside of the lock, which the woken thread takes at once.
    private func give(_ help: PoolState.Help) {
        switch help {
        case .none: break
        case .wakeThread: monitor.signal()
        case .startThread: startThread()
        }
    }

    private func startThread() {
        do throws(Errno) {
            try Thread.start(name: "wharf-pool") { [self] in work() }
        } catch {
            // The other threads go on with what is queued. When there is none, this one has to.
            let isLast = monitor.locked { () -> Bool in
                state.threadCount -= 1
                return state.threadCount == 0
            }
            if isLast { while turn() {} }
        }
    }

    private func work() {
        let worker = Worker(pool: self)
        unsafe cwharf_set_current_worker(Unmanaged.passUnretained(worker).toOpaque())
        while true {
            let (work, isLast) = monitor.locked { () -> (PoolState.Work?, Bool) in
                (next(), state.count == 0)
            }
            if isLast, !worker.unwokenLoops.isEmpty {
                for loop in worker.unwokenLoops { loop.wakeIfAsleep() }
                worker.unwokenLoops.removeAll(keepingCapacity: true)
            }
            if let work {
                run(work)
            } else if !waitForWork() {
                return
            }
        }
    }

    /// False: nothing came for so long that the thread is to end.
    private func waitForWork() -> Bool {
        monitor.locked {
            guard state.count == 0 else { return true }
            state.idleCount += 1
            let wasSignalled = monitor.wait(seconds: idleSeconds)
            state.idleCount -= 1
            if state.wokenCount > 0, wasSignalled || state.wokenCount > state.idleCount {
                state.wokenCount -= 1
            }
            if wasSignalled || state.count > 0 { return true }
            state.threadCount -= 1
            return false
        }
    }

    private func next() -> PoolState.Work? {
        defer { queueCount.store(state.count, ordering: .relaxed) }
        return state.next(at: clock.now())
    }

    private func run(_ work: PoolState.Work) {
        busyCount.add(1, ordering: .relaxed)
        defer { busyCount.subtract(1, ordering: .relaxed) }
        switch work {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        case .closure(let closure): closure()
        }
    }
}
