/// What a ``BlockingPool`` knows of its queue and its threads; used under its lock.
struct PoolState {
    /// Something to run.
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    /// What has to happen so that one more thread works.
    enum Help {
        case none
        case wakeThread
        case startThread
    }

    private var queue: [Work] = []
    private var head = 0
    /// Threads that wait for work.
    var idleCount = 0
    /// Idle threads that were woken and have not taken anything yet.
    var wokenCount = 0
    var threadCount = 0
    /// When a thread last took something, in nanoseconds.
    var lastTaken: UInt64 = 0

    var count: Int { queue.count - head }

    /// No thread is at work, nor on its way to.
    var isAtRest: Bool { threadCount - idleCount + wokenCount <= 0 }

    mutating func add(_ work: Work) {
        queue.append(work)
    }

    mutating func next(at now: @autoclosure () -> UInt64) -> Work? {
        guard head < queue.count else { return nil }
        lastTaken = now()
        defer {
            head += 1
            if head == queue.count {
                queue.removeAll(keepingCapacity: true)
                head = 0
            } else if head == 4096 {
                queue.removeFirst(head)
                head = 0
            }
        }
        return queue[head]
    }

    /// Decides how one more thread gets to work, and counts it.
    mutating func askForHelp(threadCountMax: Int) -> Help {
        if idleCount > wokenCount {
            wokenCount += 1
            return .wakeThread
        }
        guard threadCount < threadCountMax else { return .none }
        threadCount += 1
        return .startThread
    }
}
