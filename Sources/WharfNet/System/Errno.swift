#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call's error number.
public struct Errno: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    /// The number as `errno` has it.
    public let rawValue: Int32

    /// Wraps a number as `errno` has it.
    public init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The system's own text and the number, such as `Address already in use (98)`.
    public var description: String {
        guard let text = unsafe strerror(rawValue) else { return "errno \(rawValue)" }
        return unsafe "\(String(cString: text)) (\(rawValue))"
    }

    /// The last error of this thread.
    static var current: Errno { Errno(errno) }

    /// True when a non-blocking call had nothing to do yet.
    package var isWouldBlock: Bool { rawValue == EAGAIN || rawValue == EWOULDBLOCK }

    /// True when `accept` tells what befell the connection that it has taken from the queue.
    ///
    /// Linux passes on the errors of the network, a firewall makes it EPERM; see accept(2).
    package var isOfLostConnection: Bool {
        switch rawValue {
        case ECONNABORTED, ECONNRESET, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
            ENOPROTOOPT, EOPNOTSUPP, EPERM:
            true
        default: false
        }
    }
}

extension Errno {
    package static let timedOut = Errno(ETIMEDOUT)
    package static let cancelled = Errno(ECANCELED)
    package static let alreadyWaiting = Errno(EBUSY)
    package static let notFound = Errno(ENOENT)
    package static let notDirectory = Errno(ENOTDIR)
    package static let isDirectory = Errno(EISDIR)
    package static let accessDenied = Errno(EACCES)
    package static let tooManyOpenFiles = Errno(EMFILE)
    package static let tooManyOpenFilesInSystem = Errno(ENFILE)
    package static let noBuffers = Errno(ENOBUFS)
    package static let outOfMemory = Errno(ENOMEM)
    package static let addressInUse = Errno(EADDRINUSE)
    package static let addressFamilyMissing = Errno(EAFNOSUPPORT)
    package static let addressNotAvailable = Errno(EADDRNOTAVAIL)
    package static let connectionRefused = Errno(ECONNREFUSED)
    package static let connectionReset = Errno(ECONNRESET)
    package static let badDescriptor = Errno(EBADF)
    package static let brokenPipe = Errno(EPIPE)
    package static let protocolBroken = Errno(EPROTO)
    package static let inProgress = Errno(EINPROGRESS)
    package static let invalidArgument = Errno(EINVAL)
    package static let crossDevice = Errno(EXDEV)
    package static let symbolicLinkLoop = Errno(ELOOP)
    package static let noSuchCall = Errno(ENOSYS)
    package static let notPermitted = Errno(EPERM)
    package static let wouldBlock = Errno(EAGAIN)
    package static let nameTooLong = Errno(ENAMETOOLONG)
    package static let notSupported = Errno(EOPNOTSUPP)
    package static let noDriver = Errno(ENXIO)
    package static let noSuchDevice = Errno(ENODEV)
    package static let exists = Errno(EEXIST)
    package static let interrupted = Errno(EINTR)
    package static let notEmpty = Errno(ENOTEMPTY)
    package static let diskFull = Errno(ENOSPC)
    package static let quotaExceeded = Errno(EDQUOT)
    package static let fileTooLarge = Errno(EFBIG)
    package static let readOnlyFileSystem = Errno(EROFS)
    package static let tooManyLinks = Errno(EMLINK)
    /// A file has become shorter while it was sent.
    package static let truncated = Errno(ENODATA)
    /// A file, not the socket that it goes to, has failed.
    package static let unreadable = Errno(EIO)
    package static let unknownHost = Errno(EHOSTUNREACH)
}
