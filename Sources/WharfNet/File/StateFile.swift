#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small files in which a program keeps what it must know again when it is started next.
package enum StateFile {
    /// Where such a file lies: below XDG_STATE_HOME, else `~/.local/state`; `nil` without a home.
    package static func path(named name: String) -> String? {
        func variable(_ name: String) -> String? {
            let value = unsafe getenv(name).map { unsafe String(cString: $0) }
            return value.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let folder = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
        return folder.map { "\($0)/wharf/\(name)" }
    }

    /// A path from the root, where the working directory is now; links in it stay.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe "\(String(cString: folder))/\(path)"
    }

    /// Reads a file; nothing when there is none, or it is longer than `byteCountMax`.
    ///
    /// Throws what the system says. It may wait for a disk.
    package static func read(_ path: String, byteCountMax: Int) throws(Errno) -> [UInt8] {
        do throws(Errno) {
            return try WholeFile.read(path, byteCountMax: byteCountMax) ?? []
        } catch .notFound {
            return []
        } catch {
            throw error
        }
    }

    /// Replaces a file's content by what the closure makes of it, for its owner's eyes only.
    ///
    /// One process at a time does so, and whoever reads meanwhile gets the old content or the new
    /// one. Throws what the system says; the old content then stays. It may wait for a disk, and for
    /// other processes.
    package static func update(
        _ path: String, byteCountMax: Int, _ change: ([UInt8]) -> [UInt8]
    ) throws(Errno) {
        makeFolders(above: path)
        let system = System.withoutLoop
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let lock = FileHandle(
            Int32(
                try system.open(AT_FDCWD, Array("\(path).lock".utf8), flags: flags, mode: 0o600)
                    .get()), system: system)
        _ = try retrying { Int(flock(lock.descriptor, LOCK_EX)) }.get()
        let bytes = change(try read(path, byteCountMax: byteCountMax))
        let part = "\(path).part"
        // One that a killed process has left.
        system.removeName(part)
        try WholeFile.create(part, bytes)
        _ = try system.rename(
            Array(part.utf8), in: AT_FDCWD, to: Array(path.utf8), in: AT_FDCWD, replaces: true
        ).get()
    }

    /// Makes the folders that a path needs; what can't be made is told by who opens the file.
    private static func makeFolders(above path: String) {
        let parts = path.split(separator: "/").dropLast()
        var folder = path.hasPrefix("/") ? "" : "."
        for part in parts {
            folder += "/" + part
            _ = System.withoutLoop.makeFolder(Array(folder.utf8), in: AT_FDCWD, mode: 0o700)
        }
    }
}
