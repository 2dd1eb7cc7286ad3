import Synchronization

/// Threads for code that may block: people's handlers, disks, name look-up.
///
/// Swift's own pool has one thread a core, and a handler that blocks stalls everybody there; here
/// a thread is started whenever none is idle, up to a maximum, and ends after ten idle seconds.
package final class BlockingPool: TaskExecutor, @unchecked Sendable {
    // @unchecked: `state` is used under the monitor's lock.

    private struct State {
        var jobs: [UnownedJob] = []
        var head = 0
        var idleCount = 0
        /// Idle threads that were woken and have not taken a job yet.
        var wokenCount = 0
        var threadCount = 0

        var hasJobs: Bool { head < jobs.count }

        mutating func next() -> UnownedJob? {
            guard head < jobs.count else { return nil }
            defer {
                head += 1
                if head == jobs.count {
                    jobs.removeAll(keepingCapacity: true)
                    head = 0
                }
            }
            return jobs[head]
        }
    }

    private let monitor = Monitor()
    private var state = State()
    private let threadCountMax: Int
    private let isDriven: Bool
    private let admitted = Atomic<Int>(0)
    private let admittedMax: Int

    /// Makes a pool without threads.
    ///
    /// `queueMax` bounds what ``admit()`` lets in beyond one piece of work a thread. A driven pool
    /// has no threads: somebody calls ``turn()``.
    package init(threadCountMax: Int = 64, queueMax: Int = 1024, isDriven: Bool = false) {
        self.threadCountMax = threadCountMax
        self.isDriven = isDriven
        admittedMax = threadCountMax + queueMax
    }

    /// Asks for a place. False: the pool is full, and the work is to be refused.
    package func admit() -> Bool {
        let (before, _) = admitted.add(1, ordering: .relaxed)
        if before < admittedMax { return true }
        admitted.subtract(1, ordering: .relaxed)
        return false
    }

    /// Gives the place back.
    package func release() {
        admitted.subtract(1, ordering: .relaxed)
    }

    /// Runs blocking work on a thread of the pool. Throws what the work throws.
    package func run<Value: Sendable>(
        _ work: @Sendable @escaping () throws -> Value
    ) async throws -> Value {
        let onPool: @concurrent @Sendable () async throws -> Value = { try work() }
        return try await withTaskExecutorPreference(self) { try await onPool() }
    }

    /// Takes a job from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustStart = monitor.locked { () -> Bool in
            state.jobs.append(job)
            if isDriven { return false }
            if state.idleCount > state.wokenCount {
                state.wokenCount += 1
                monitor.signal()
                return false
            }
            guard state.threadCount < threadCountMax else { return false }
            state.threadCount += 1
            return true
        }
        if mustStart { startThread() }
    }

    /// Runs one job on the calling thread, if there is one; for whoever drives the pool.
    package func turn() -> Bool {
        guard let job = monitor.locked({ state.next() }) else { return false }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        return true
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
        let executor = unsafe asUnownedTaskExecutor()
        while let job = nextJob() { unsafe job.runSynchronously(on: executor) }
    }

    private func nextJob() -> UnownedJob? {
        monitor.locked {
            while true {
                if let job = state.next() { return job }
                state.idleCount += 1
                let wasSignalled = monitor.wait(seconds: 10)
                state.idleCount -= 1
                if state.wokenCount > 0, wasSignalled || state.wokenCount > state.idleCount {
                    state.wokenCount -= 1
                }
                if !wasSignalled && !state.hasJobs {
                    state.threadCount -= 1
                    return nil
                }
            }
        }
    }
}
