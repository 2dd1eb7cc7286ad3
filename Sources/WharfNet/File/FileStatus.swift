import CWharf

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
    /// When it was made, in seconds since 1970; `nil` where nobody knows.
    package var birthSeconds: Int64?
    package var inode: UInt64
    package var device: UInt64
    /// Who may read, write and execute it, as `chmod` has it: the lowest nine bits of its mode.
    package var permissions: UInt16

    package init(
        kind: Kind, size: Int64, modificationTime: Int64, inode: UInt64, device: UInt64,
        permissions: UInt16 = 0o644, birthSeconds: Int64? = nil
    ) {
        self.kind = kind
        self.size = size
        self.modificationTime = modificationTime
        self.inode = inode
        self.device = device
        self.permissions = permissions
        self.birthSeconds = birthSeconds
    }

    /// Whether both are of one file, whatever it is called.
    package func isSame(as other: FileStatus) -> Bool {
        inode == other.inode && device == other.device
    }

    /// When it was made, in seconds since 1970: not after it was changed last, which is a copy's
    /// time, or a client's.
    package var creationSeconds: Int64 {
        min(birthSeconds ?? modificationSeconds, modificationSeconds)
    }

    /// Seconds since 1970 of the last change of the content, rounded down.
    package var modificationSeconds: Int64 {
        modificationTime / 1_000_000_000 - (modificationTime % 1_000_000_000 < 0 ? 1 : 0)
    }

    init(_ raw: cwharf_status) {
        switch mode_t(raw.mode) & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .symbolicLink
        default: kind = .other
        }
        size = raw.size
        // A file can bear any time: one out of range counts as the nearest that fits.
        let (nanoseconds, overflow) = raw.changed_seconds.multipliedReportingOverflow(
            by: 1_000_000_000)
        modificationTime =
            overflow
            ? (raw.changed_seconds < 0 ? .min : .max)
            : nanoseconds.saturatingAdd(Int64(raw.changed_nanoseconds))
        birthSeconds = raw.has_birth == 0 ? nil : raw.born_seconds
        inode = raw.inode
        device = raw.device
        permissions = UInt16(raw.mode & 0o777)
    }
}

extension Int64 {
    fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
