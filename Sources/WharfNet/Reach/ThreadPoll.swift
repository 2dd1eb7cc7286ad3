#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a thread of its own waits with: for descriptors, for a time, and for a call from elsewhere.
///
/// It is for libraries that block and thus can't be on an event loop.
final class ThreadPoll: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Throws `EMFILE` and the like.
    init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .current }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        _ = libcClose(readEnd)
        _ = libcClose(writeEnd)
    }

    /// Ends the present or next ``wait(for:until:)``.
    ///
    /// Callable from any thread.
    func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes as well.
        _ = unsafe libcWrite(writeEnd, &byte, 1)
    }

    /// Waits until one of the descriptors can be read, until it is woken, or until a time in
    /// nanoseconds (`nil`: without end); answers which can be read, or have failed.
    func wait(for descriptors: [Int32], until deadline: UInt64?) -> Set<Int32> {
        var entries = ([readEnd] + descriptors).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var milliseconds: Int32 = -1
        if let deadline {
            let now = System.withoutLoop.now()
            // Rounded up: too early would be once around for nothing.
            let left = deadline > now ? (deadline - now) / 1_000_000 + 1 : 0
            milliseconds = Int32(clamping: left)
        }
        let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
        guard count > 0 else { return [] }
        if entries[0].revents != 0 { drain() }
        return Set(entries.dropFirst().filter { $0.revents != 0 }.map(\.fd))
    }

    /// Forgets that it was woken.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
