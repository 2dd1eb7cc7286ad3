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

    /// What new files may not be allowed (umask), as it was when it was first asked for.
    package static let creationMask: UInt16 = {
        // Reading it by umask(2) sets it, for a moment in which other threads may make files.
        let status = try? WholeFile.read("/proc/self/status", byteCountMax: 64 * 1024)
        for line in String(decoding: status ?? [], as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("Umask:") {
            let digits = line.dropFirst(6).drop { $0 == "\t" || $0 == " " }
            if let mask = UInt16(digits, radix: 8) { return mask & 0o777 }
        }
        let mask = umask(0o077)
        _ = umask(mask)
        return UInt16(mask & 0o777)
    }()

    /// Where files lie that nobody else is to see, and that may be lost.
    package static var temporaryFolder: String {
        let path = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
        return path.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Where a program of this name keeps what it has to find again (XDG Base Directory
    /// Specification); `nil` without a home.
    package static var stateFolder: String? {
        for (variable, below) in [("XDG_STATE_HOME", "/wharf"), ("HOME", "/.local/state/wharf")] {
            // A path that is not absolute is to be ignored.
            if let value = unsafe getenv(variable).map({ unsafe String(cString: $0) }),
                value.hasPrefix("/")
            {
                return value + below
            }
        }
        return nil
    }

    /// Makes a folder and those above it, for their owner only.
    package static func makeFolder(_ path: String) throws(Errno) {
        var parts = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            parts += parts.isEmpty || parts.hasSuffix("/") ? part : "/" + part
            let answer = System.withoutLoop.makeFolder(
                Array(parts.utf8), in: AT_FDCWD, mode: 0o700)
            if case .failure(let error) = answer, error != .exists { throw error }
        }
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
