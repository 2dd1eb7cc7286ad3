#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// SIGTERM and SIGINT as something to wait for.
package enum TerminationSignals {
    /// Blocks both for this thread and those that it starts later.
    ///
    /// Call it first in `main`.
    package static func block() {
        var set = makeSet()
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls the closure on a thread of its own for each of them that arrives, without end.
    package static func onArrival(_ body: @escaping @Sendable (Int32) -> Void) throws(Errno) {
        block()
        try Thread.start(name: "wharf-signals") {
            var set = makeSet()
            var number: Int32 = 0
            while unsafe sigwait(&set, &number) == 0 { body(number) }
        }
    }

    private static func makeSet() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        return set
    }
}
