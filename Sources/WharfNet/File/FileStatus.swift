#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the file system says of a file or folder.
package struct FileStatus: Sendable, Hashable {
    /// What kind of thing it is.
    package enum Kind: Sendable, Hashable {
        case file, folder, symbolicLink, other
    }

    package var kind: Kind
    /// Bytes.
    package var size: Int64
    /// Nanoseconds since 1970 of the last change of the content.
    package var modificationTime: Int64
    package var inode: UInt64
    package var device: UInt64
    /// Who may read, write and execute it, as `chmod` has it: the lowest nine bits of its mode.
    package var permissions: UInt16

    package init(
        kind: Kind, size: Int64, modificationTime: Int64, inode: UInt64, device: UInt64,
        permissions: UInt16 = 0o644
    ) {
        self.kind = kind
        self.size = size
        self.modificationTime = modificationTime
        self.inode = inode
        self.device = device
        self.permissions = permissions
    }

    /// Seconds since 1970 of the last change of the content, rounded down.
    package var modificationSeconds: Int64 {
        modificationTime / 1_000_000_000 - (modificationTime % 1_000_000_000 < 0 ? 1 : 0)
    }

    init(_ raw: stat) {
        switch raw.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .symbolicLink
        default: kind = .other
        }
        size = Int64(raw.st_size)
        #if os(Linux)
            let time = raw.st_mtim
        #else
            let time = raw.st_mtimespec
        #endif
        // A file can bear any time: one out of range counts as the nearest that fits.
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        modificationTime =
            overflow ? (time.tv_sec < 0 ? .min : .max) : seconds.saturatingAdd(Int64(time.tv_nsec))
        inode = UInt64(raw.st_ino)
        device = UInt64(truncatingIfNeeded: raw.st_dev)
        permissions = UInt16(raw.st_mode & 0o777)
    }
}

extension Int64 {
    fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
