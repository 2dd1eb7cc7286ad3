import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder below which files are opened, and never outside: the one way to files for all of Wharf.
///
/// The kernel keeps paths inside (openat2 with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS): symbolic
/// links are followed while they stay below the root, and refused with `EXDEV` where they leave it.
/// Where there is no such call (Apple systems, old kernels, strict sandboxes), the path is walked
/// segment by segment, and every symbolic link is refused. The root itself stays the folder that
/// it was when it was opened, whatever is put in its place.
///
/// Paths are relative, already decoded, in the file system's bytes, with `/` between names. `..`
/// is refused even where it would stay inside. All methods may be called from any thread.
package final class RootedDirectory: Sendable {
    let root: FileHandle
    package let system: System
    /// True when calls on its files may wait for a network or another process: never on a loop.
    package let isSlow: Bool
    /// Paths go to openat2 whole; else they are walked.
    private let hasOpenBeneath: Bool

    private static let readFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    // The kernel answers EAGAIN when something on the path is renamed at the same time.
    private static let attemptCountMax = 16

    /// Opens the root, or throws what `open` says: `ENOTDIR` when it's no folder.
    ///
    /// Without `followsLinks` paths are walked segment by segment, whatever the kernel can do.
    package init(path: String, system: System, followsLinks: Bool = true) throws(Errno) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let descriptor = try system.open(AT_FDCWD, Array(path.utf8), flags: flags, mode: 0).get()
        root = FileHandle(Int32(descriptor), system: system)
        self.system = system
        isSlow = system.isRemote(root.descriptor)
        // ENOSYS: no such call. EPERM: seccomp forbids it.
        let probe = system.openBeneath(
            root.descriptor, Array(".".utf8), flags: flags, mode: 0, cachedOnly: false)
        switch probe {
        case .success(let probed):
            system.close(Int32(probed))
            hasOpenBeneath = followsLinks
        case .failure(let error):
            hasOpenBeneath = followsLinks && error != .noSuchCall && error != .notPermitted
        }
    }

    /// Opens a file or folder for reading; the empty path is the root.
    ///
    /// It never waits for the other end of a FIFO. `cachedOnly` fails with `EAGAIN` when the answer
    /// isn't in memory: then ask again from the pool. Anything but a file or folder is `EACCES`;
    /// a path that is absolute, goes up or leaves the root is `EXDEV`; a NUL in it is `EINVAL`.
    package func open(_ path: [UInt8], cachedOnly: Bool) -> Result<OpenedFile, Errno> {
        openDescriptor(path, flags: Self.readFlags, cachedOnly: cachedOnly).flatMap { descriptor in
            let handle = FileHandle(descriptor, system: system)
            return handle.status().flatMap { status in
                guard status.kind == .file || status.kind == .folder else {
                    return .failure(.accessDenied)
                }
                return .success(OpenedFile(handle: handle, status: status, path: path))
            }
        }
    }

    /// Opens a file or folder whose path is text.
    package func open(_ path: String, cachedOnly: Bool) -> Result<OpenedFile, Errno> {
        open(Array(path.utf8), cachedOnly: cachedOnly)
    }

    /// Starts to list a folder that was opened here.
    ///
    /// It waits for the disk: for the pool only.
    package func list(_ folder: OpenedFile) -> Result<FolderReader, Errno> {
        switch system.openStream(of: folder.handle.descriptor) {
        case .success(let stream): .success(FolderReader(folder, in: self, stream: stream))
        case .failure(let error): .failure(error)
        }
    }

    /// What a symbolic link in a folder leads to, or `nil` if it leads out of the root or nowhere.
    func target(of link: [UInt8], in folder: [UInt8]) -> FileStatus? {
        guard hasOpenBeneath else { return nil }
        let path = folder.isEmpty ? link : folder + [UInt8(ascii: "/")] + link
        let flags = cwharf_O_PATH | O_CLOEXEC
        guard case .success(let descriptor) = openDescriptor(path, flags: flags, cachedOnly: false),
            case .success(let status) = FileHandle(descriptor, system: system).status()
        else { return nil }
        return status
    }

    func openDescriptor(_ path: [UInt8], flags: Int32, cachedOnly: Bool)
        -> Result<Int32, Errno>
    {
        if path.contains(0) { return .failure(.invalidArgument) }
        if path.first == UInt8(ascii: "/") { return .failure(.crossDevice) }
        if let refusal = Self.refusal(of: path) { return .failure(refusal) }
        if cachedOnly, isSlow || !hasOpenBeneath { return .failure(.wouldBlock) }
        let answer =
            hasOpenBeneath
            ? openBeneath(path, flags: flags, cachedOnly: cachedOnly)
            : walk(
                path.split(separator: UInt8(ascii: "/")), isFolder: path.last == UInt8(ascii: "/"),
                flags: flags)
        switch answer {
        case .success(let descriptor): return .success(Int32(descriptor))
        // A socket, or a device that nothing drives.
        case .failure(.noSuchDevice), .failure(.noDriver): return .failure(.accessDenied)
        case .failure(let error): return .failure(error)
        }
    }

    /// Why a path is refused for its names: `..`, or that of a file that is being written.
    private static func refusal(of path: [UInt8]) -> Errno? {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        for start in path.indices
        where path[start] == dot && (start == 0 || path[start - 1] == slash) {
            let name = path[start...].prefix { $0 != slash }
            if name.count == 2, name.last == dot { return .crossDevice }
            if PartName.isReserved(name) { return .notFound }
        }
        return nil
    }

    private func openBeneath(_ path: [UInt8], flags: Int32, cachedOnly: Bool) -> SystemResult {
        let path = path.isEmpty ? Array(".".utf8) : path
        if cachedOnly {
            let answer = system.openBeneath(
                root.descriptor, path, flags: flags, mode: 0, cachedOnly: true)
            // Kernels before 5.12 do not know RESOLVE_CACHED.
            if case .failure(.invalidArgument) = answer { return .failure(.wouldBlock) }
            return answer
        }
        var answer = SystemResult.failure(.wouldBlock)
        for _ in 0..<Self.attemptCountMax {
            answer = system.openBeneath(
                root.descriptor, path, flags: flags, mode: 0, cachedOnly: false)
            guard case .failure(let error) = answer, error.isWouldBlock else { break }
        }
        return answer
    }
}
