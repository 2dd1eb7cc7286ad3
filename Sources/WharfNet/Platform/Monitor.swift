#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock with a condition to wait for: what `Mutex` lacks.
@safe final class Monitor: @unchecked Sendable {
    // @unchecked: both are made to be used from several threads.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(lock)
        unsafe condition.deallocate()
        unsafe lock.deallocate()
    }

    /// Runs the closure while no other thread runs one here.
    func locked<R>(_ body: () throws -> R) rethrows -> R {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body()
    }

    /// Wakes one waiting thread.
    ///
    /// What it waits for is changed under the lock before; the call itself needs no lock, and the
    /// thread runs sooner without.
    func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Wakes all waiting threads.
    ///
    /// To be called under the lock.
    func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }

    /// Gives the lock away until a signal comes; false when it took longer than `seconds` and
    /// `milliseconds`, at most 1000 of them.
    func wait(seconds: Int = 0, milliseconds: Int = 0) -> Bool {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let nanoseconds = time.tv_nsec + milliseconds * 1_000_000
        time.tv_sec += seconds + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        return unsafe pthread_cond_timedwait(condition, lock, &time) == 0
    }

    /// Gives the lock away until a signal comes.
    func wait() {
        unsafe pthread_cond_wait(condition, lock)
    }
}
