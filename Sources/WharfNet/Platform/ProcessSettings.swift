#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a server needs of its whole process.
package enum ProcessSettings {
    /// Makes a vanished peer and a full file an error of the call instead of the process's end.
    package static func ignoreDeadlySignals() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// Opens those of the descriptors 0 to 2 that are closed on /dev/null.
    ///
    /// Call it first in `main`: else a socket or file gets the number, and with it what is meant for
    /// standard error.
    package static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // It gets the lowest number that is free: this one.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Raises the soft limit of open descriptors to the hard one, and says what it is then.
    package static func raiseDescriptorLimit() -> Int {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        // Darwin refuses more than this, though its hard limit says otherwise.
        let wanted = min(limit.rlim_max, 1 << 20)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = wanted
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
