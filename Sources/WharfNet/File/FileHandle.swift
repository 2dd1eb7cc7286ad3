#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file or folder, closed when nobody refers to it any more.
package final class FileHandle: Sendable {
    package let descriptor: Int32
    package let system: System

    /// Takes the descriptor over.
    package init(_ descriptor: Int32, system: System) {
        self.descriptor = descriptor
        self.system = system
    }

    deinit {
        system.close(descriptor)
    }

    /// What the file system says of it now.
    package func status() -> Result<FileStatus, Errno> {
        system.status(of: descriptor)
    }

    /// Reads at an offset: 0 at the end.
    ///
    /// `cachedOnly` reads what is in memory, and fails with `EAGAIN` rather than wait for a disk.
    package func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int64, cachedOnly: Bool
    ) -> SystemResult {
        let answer = unsafe system.read(
            descriptor, into: bytes, at: offset, cachedOnly: cachedOnly)
        // Not every file system can tell what it has in memory.
        if cachedOnly, case .failure(.notSupported) = answer { return .failure(.wouldBlock) }
        return answer
    }
}

/// What ``RootedDirectory/open(_:cachedOnly:)`` answers: a file or folder and what it was then.
package struct OpenedFile: Sendable {
    package let handle: FileHandle
    /// Its kind is `.file` or `.folder`.
    package let status: FileStatus
    /// Where it lies below the root.
    package let path: [UInt8]
}

extension FileHandle {
    /// Opens a file to read, wherever its path leads; it may wait for a disk.
    ///
    /// It does not wait for the other end of a pipe. Throws what the system says.
    package static func open(_ path: String) throws(Errno) -> FileHandle {
        let system = System.withoutLoop
        let flags = O_RDONLY | O_NOCTTY | O_NONBLOCK
        let descriptor = try system.open(AT_FDCWD, Array(path.utf8), flags: flags, mode: 0).get()
        return FileHandle(Int32(descriptor), system: system)
    }
}
