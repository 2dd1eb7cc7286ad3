import WharfNet
import WharfTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How calls fail in practice: what the manual pages list, less what only a programmer can cause.
enum PlausibleFaults {
    static func of(_ call: SystemCall) -> [FaultPlan.Outcome] {
        let errnos: [Int32]
        switch call {
        case .register: errnos = [ENOMEM, ENOSPC]
        case .socket: errnos = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EAFNOSUPPORT, EACCES]
        case .listen: errnos = [EADDRINUSE, EADDRNOTAVAIL, EACCES, ENOBUFS]
        case .accept: errnos = exhausted + lost + [EAGAIN]
        case .receive: errnos = [ECONNRESET, ETIMEDOUT, ENOMEM, EHOSTUNREACH, EAGAIN]
        case .send:
            errnos = [EPIPE, ECONNRESET, ETIMEDOUT, ENOBUFS, ENOMEM, EHOSTUNREACH, EAGAIN]
        case .sendFile: errnos = [EIO, EPIPE, ECONNRESET, ENOMEM, EAGAIN]
        case .openBeneath, .open: errnos = [EACCES, EMFILE, ENFILE, ENOENT, EIO, ENOMEM, EAGAIN]
        case .status: errnos = [EIO, ENOMEM, EOVERFLOW]
        case .read: errnos = [EIO, EAGAIN]
        case .openUnnamed: errnos = [EOPNOTSUPP, EACCES, ENOSPC, EMFILE, EROFS]
        case .link: errnos = [ENOSPC, EDQUOT, EIO]
        case .write: errnos = [ENOSPC, EDQUOT, EFBIG, EIO]
        case .allocate: errnos = [ENOSPC, EOPNOTSUPP, EFBIG]
        case .truncate: errnos = [EIO, EPERM]
        case .lock: errnos = [ENOLCK, EOPNOTSUPP, EAGAIN]
        case .setMode: errnos = [EPERM, EIO]
        case .sync: errnos = [EIO, ENOSPC]
        case .rename, .remove, .makeFolder: errnos = [EACCES, ENOSPC, EIO]
        case .openStream: errnos = [EMFILE, ENFILE, EIO, ENOMEM]
        case .connect, .nextName: errnos = [EIO]
        }
        var outcomes = errnos.map { number in
            number == EAGAIN ? FaultPlan.Outcome.wouldBlock : .error(Errno(number))
        }
        if [.receive, .send, .sendFile, .read, .write].contains(call) { outcomes += [.short(1)] }
        return outcomes
    }

    /// Nothing is left to accept with.
    static let exhausted: [Int32] = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    /// The connection that was to be accepted is gone; the next one is not.
    static let lost: [Int32] = [
        ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH,
        EOPNOTSUPP, EPERM,
    ]
    /// Nobody should ever see these, but who does must not spin.
    static let senseless: [Int32] = [EBADF, EINVAL, ENOTSOCK, EFAULT]
}
