import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a system call answered: a count or descriptor, or the error.
package typealias SystemResult = Result<Int, Errno>

/// The one funnel of system calls: all of Wharf's go through an object of this class.
///
/// This class makes the real calls. Subclasses in WharfTesting make the k-th call fail, or put
/// memory and a virtual clock in the place of sockets and time. Each loop has one of its own;
/// the calls on files may come from any thread, the others from the loop's thread, ``wake()`` and
/// ``now()`` from anywhere. Calls that a signal interrupts are tried again.
package class System: @unchecked Sendable {
    // @unchecked: the poller is a pair of descriptors and a buffer that only `wait` uses, which
    // one thread calls.
    private let poller: Poller?

    /// Makes one that a loop can wait with.
    ///
    /// Throws what making the poller throws.
    package init() throws(Errno) {
        poller = try Poller()
    }

    /// Makes one that can't wait: it holds no descriptor.
    init(poller: consuming Poller?) {
        self.poller = poller
    }

    /// For files and clocks, which need no loop: watching a descriptor is `ENOSYS`.
    package static let withoutLoop = System(poller: nil)

    // MARK: Time

    /// Nanoseconds of a clock that only goes forward.
    package func now() -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Seconds since 1970.
    package func unixTime() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Milliseconds since 1970.
    package func unixMilliseconds() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec / 1_000_000)
    }

    // MARK: Readiness

    /// Watches a descriptor both ways, edge-triggered, until it is closed.
    package func register(_ descriptor: Int32, token: UInt64) throws(Errno) {
        guard poller != nil else { throw .noSuchCall }
        try poller?.add(descriptor, token: token)
    }

    /// Waits for events, at most `timeout` nanoseconds (`nil`: without end), and appends them.
    package func wait(into events: inout [PollEvent], timeout: UInt64?) {
        poller?.wait(into: &events, timeout: timeout)
    }

    /// Ends the current or next ``wait(into:timeout:)``.
    package func wake() {
        poller?.wake()
    }

    // MARK: Sockets

    /// Makes a non-blocking stream socket for the address's family.
    package func socket(for address: SocketAddress) -> SystemResult {
        LiveSockets.make(for: address)
    }

    /// Binds, with SO_REUSEADDR, IPv6 kept apart from IPv4, and listens.
    package func listen(_ descriptor: Int32, at address: SocketAddress, backlog: Int32)
        -> SystemResult
    {
        LiveSockets.listen(descriptor, at: address, backlog: backlog)
    }

    /// The address that a socket is bound to.
    package func localAddress(of descriptor: Int32) -> SocketAddress? {
        unsafe SocketAddress { unsafe getsockname(descriptor, $0, $1) == 0 }
    }

    /// Starts to connect: 0 when done at once, `EINPROGRESS` as a failure otherwise.
    package func connect(_ descriptor: Int32, to address: SocketAddress) -> SystemResult {
        LiveSockets.connect(descriptor, to: address)
    }

    /// The error that a socket holds (SO_ERROR), or `nil` when there is none.
    package func pendingError(of descriptor: Int32) -> Errno? {
        LiveSockets.pendingError(of: descriptor)
    }

    /// Accepts one connection, non-blocking and close-on-exec, with TCP_NODELAY set.
    package func accept(_ descriptor: Int32, peer: inout SocketAddress?) -> SystemResult {
        LiveSockets.accept(descriptor, peer: &peer)
    }

    /// Receives into memory: 0 when the peer has finished.
    package func receive(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer)
        -> SystemResult
    {
        retrying { unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0) }
    }

    /// Sends from memory.
    ///
    /// `hasMore` says that the rest of a packet follows at once.
    package func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, hasMore: Bool)
        -> SystemResult
    {
        let flags = LiveSockets.sendFlags | (hasMore ? LiveSockets.moreFlag : 0)
        return retrying {
            unsafe libcSend(descriptor, bytes.baseAddress, bytes.count, flags)
        }
    }

    /// Sends from a file without a copy in between.
    package func sendFile(_ descriptor: Int32, file: Int32, offset: Int64, count: Int)
        -> SystemResult
    {
        retrying { cwharf_sendfile(descriptor, file, offset, count) }
    }

    /// Sends FIN: nothing more will be sent.
    package func finishSending(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes ``close(_:)`` send RST instead of FIN.
    package func resetOnClose(_ descriptor: Int32) {
        LiveSockets.resetOnClose(descriptor)
    }

    /// Closes a socket or file.
    ///
    /// Its registration ends with it.
    package func close(_ descriptor: Int32) {
        _ = libcClose(descriptor)
    }

    // MARK: Names

    /// The addresses of a host, best first, each with the port; at most 16.
    ///
    /// It may block for long.
    package func lookUp(_ host: String, port: UInt16) -> Result<[SocketAddress], NameLookupError> {
        LiveNames.lookUp(host, port: port)
    }

    // MARK: Files

    /// True when a path names a Unix socket itself, not a link to one.
    package func isSocket(_ path: String) -> Bool {
        var raw = stat()
        return unsafe lstat(path, &raw) == 0 && raw.st_mode & S_IFMT == S_IFSOCK
    }

    /// Removes a name from its folder; a failure is not told.
    package func removeName(_ path: String) {
        _ = unsafe unlink(path)
    }

    /// Opens a path below a directory, never outside it; see ``RootedDirectory``.
    ///
    /// Paths and names are the file system's bytes, UTF-8 or not; one with a NUL is `EINVAL`.
    /// `cachedOnly` fails with `EAGAIN` when the file system would have to be asked.
    package func openBeneath(
        _ directory: Int32, _ path: [UInt8], flags: Int32, mode: UInt16, cachedOnly: Bool
    ) -> SystemResult {
        unsafe retrying(path) { path in
            unsafe Int(
                cwharf_openat_beneath(directory, path, flags, UInt32(mode), cachedOnly ? 1 : 0))
        }
    }

    /// Opens one name in a directory (`AT_FDCWD`: from the working directory).
    package func open(_ directory: Int32, _ name: [UInt8], flags: Int32, mode: UInt16)
        -> SystemResult
    {
        unsafe retrying(name) { unsafe Int(openat(directory, $0, flags | O_CLOEXEC, mode_t(mode))) }
    }

    /// What `fstat` says of an open file.
    package func status(of descriptor: Int32) -> Result<FileStatus, Errno> {
        var raw = cwharf_status()
        return retrying { unsafe Int(cwharf_status(descriptor, nil, 1, &raw)) }
            .map { _ in FileStatus(raw) }
    }

    /// What `fstatat` says of a name in a directory.
    package func status(_ directory: Int32, _ name: [UInt8], followsLink: Bool)
        -> Result<FileStatus, Errno>
    {
        var raw = cwharf_status()
        return unsafe retrying(name) {
            unsafe Int(cwharf_status(directory, $0, followsLink ? 1 : 0, &raw))
        }.map { _ in FileStatus(raw) }
    }

    /// True when the file system is reached over a network or through a user's process (FUSE).
    package func isRemote(_ descriptor: Int32) -> Bool {
        LiveFiles.isRemote(descriptor)
    }

    /// Starts to read the names in an open folder, which stays open and unmoved.
    package func openStream(of folder: Int32) -> Result<FolderStream, Errno> {
        LiveFiles.openStream(of: folder)
    }

    /// The next name of a stream, `.` and `..` included, in no order; `nil` at the end.
    package func nextName(of stream: FolderStream) -> Result<[UInt8]?, Errno> {
        LiveFiles.nextName(of: stream)
    }

    /// Ends a stream.
    package func close(_ stream: FolderStream) {
        LiveFiles.close(stream)
    }

    /// Reads at an offset: 0 at the end.
    ///
    /// `cachedOnly` fails with `EAGAIN` rather than wait for a disk.
    package func read(
        _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer, at offset: Int64,
        cachedOnly: Bool
    ) -> SystemResult {
        retrying {
            cachedOnly
                ? unsafe cwharf_pread_cached(descriptor, bytes.baseAddress, bytes.count, offset)
                : unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        }
    }

    // MARK: Writing files

    /// Opens a file that has no name yet in a folder, for reading and writing.
    ///
    /// `EOPNOTSUPP` where there is no such thing.
    package func openUnnamed(in folder: Int32, mode: UInt16) -> SystemResult {
        retrying { Int(cwharf_open_unnamed(folder, UInt32(mode))) }
    }

    /// Gives a file of ``openUnnamed(in:mode:)`` its name; `EEXIST` when there is one of that name.
    package func link(_ descriptor: Int32, in folder: Int32, as name: [UInt8]) -> SystemResult {
        unsafe retrying(name) { unsafe Int(cwharf_link_unnamed(descriptor, folder, $0)) }
    }

    /// Writes at an offset, maybe not all of it.
    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64)
        -> SystemResult
    {
        retrying { unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    /// Reserves room on the disk for a part of a file, of which there may be nothing yet.
    ///
    /// On Apple systems it is so many bytes behind what is reserved already, wherever the part lies.
    /// Not tried again after a signal (`EINTR`): it may take so long that there is one each time.
    package func allocate(_ descriptor: Int32, _ range: Range<Int64>) -> SystemResult {
        let answer = cwharf_allocate(descriptor, range.lowerBound, Int64(range.count))
        return answer < 0 ? .failure(.current) : .success(Int(answer))
    }

    /// Cuts a file to a length, and frees what is reserved behind it.
    package func truncate(_ descriptor: Int32, size: Int64) -> SystemResult {
        retrying { Int(ftruncate(descriptor, off_t(size))) }
    }

    /// Takes the lock of an open file (flock), which ends when the file is closed or its process
    /// is killed; `EWOULDBLOCK` when another one has it.
    package func lock(_ descriptor: Int32) -> SystemResult {
        retrying { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
    }

    /// Sets who may read and write an open file.
    package func setMode(of descriptor: Int32, _ mode: UInt16) -> SystemResult {
        retrying { Int(fchmod(descriptor, mode_t(mode))) }
    }

    /// Waits until the disk has what was written to a file, or the names of a folder.
    package func sync(_ descriptor: Int32) -> SystemResult {
        retrying { Int(fsync(descriptor)) }
    }

    /// Moves a name; without replacing, `EEXIST` when the new one is taken.
    package func rename(
        _ name: [UInt8], in folder: Int32, to newName: [UInt8], in newFolder: Int32, replaces: Bool
    ) -> SystemResult {
        LiveFiles.rename(name, in: folder, to: newName, in: newFolder, replaces: replaces)
    }

    /// Makes a folder.
    package func makeFolder(_ name: [UInt8], in folder: Int32, mode: UInt16) -> SystemResult {
        unsafe retrying(name) { unsafe Int(mkdirat(folder, $0, mode_t(mode))) }
    }

    /// Removes the name of a file, or an empty folder.
    package func remove(_ name: [UInt8], in folder: Int32, isFolder: Bool) -> SystemResult {
        unsafe retrying(name) { unsafe Int(unlinkat(folder, $0, isFolder ? AT_REMOVEDIR : 0)) }
    }
}

/// Calls until it is not a signal that ended the call.
@inline(__always)
func retrying(_ call: () -> Int) -> SystemResult {
    while true {
        let answer = call()
        if answer >= 0 { return .success(answer) }
        let error = Errno.current
        if error.rawValue != EINTR { return .failure(error) }
    }
}
