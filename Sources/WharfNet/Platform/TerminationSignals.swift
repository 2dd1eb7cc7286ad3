#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// SIGTERM, SIGINT and SIGHUP as something to wait for.
package enum TerminationSignals {
    /// What a signal asks a server for.
    package enum Request: Sendable {
        case stop
        /// SIGHUP, as daemons take it: to read again what may have changed on the disk.
        case reload
    }

    /// Blocks them for this thread and those that it starts later.
    ///
    /// Call it first in `main`.
    package static func block() {
        var set = makeSet()
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls the closure on a thread of its own for each of them that arrives, without end.
    ///
    /// SIGHUP because the terminal was closed is a request to stop, as ever; one that was ignored
    /// from the start (`nohup`) stays ignored.
    package static func onArrival(_ body: @escaping @Sendable (Request) -> Void) throws(Errno) {
        block()
        let hadTerminal = hasTerminal
        try Thread.start(name: "wharf-signals") {
            var set = makeSet()
            var number: Int32 = 0
            while unsafe sigwait(&set, &number) == 0 {
                let isReload = number == SIGHUP && (!hadTerminal || hasTerminal)
                body(isReload ? .reload : .stop)
            }
        }
    }

    private static let ignoresHangUp: Bool = {
        var action = sigaction()
        guard unsafe sigaction(SIGHUP, nil, &action) == 0 else { return false }
        #if os(Linux)
            let handler = unsafe action.__sigaction_handler.sa_handler
        #else
            let handler = unsafe action.__sigaction_u.__sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }()

    private static func makeSet() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        if !ignoresHangUp { unsafe sigaddset(&set, SIGHUP) }
        return set
    }

    /// Whether the process has a terminal that can still be talked to.
    private static var hasTerminal: Bool {
        let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        _ = libcClose(descriptor)
        return true
    }
}
