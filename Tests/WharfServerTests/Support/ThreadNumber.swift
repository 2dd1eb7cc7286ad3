import Glibc

/// A number for the calling thread, to tell threads apart.
func threadNumber() -> UInt { UInt(pthread_self()) }

/// Blocks the calling thread, as careless handlers do.
func blockThread(until isOver: () -> Bool) {
    while !isOver() { sched_yield() }
}
