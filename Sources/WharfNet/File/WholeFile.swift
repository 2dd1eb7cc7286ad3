#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small files that are read at once, such as a server's settings.
package enum WholeFile {
    /// Reads a file; `nil` when it is longer than `byteCountMax`.
    ///
    /// Throws what the system says. It may wait for a disk: not for an event loop.
    package static func read(_ path: String, byteCountMax: Int) throws(Errno) -> [UInt8]? {
        let system = System.withoutLoop
        let flags = O_RDONLY | O_NOCTTY | O_CLOEXEC
        let descriptor = try system.open(AT_FDCWD, Array(path.utf8), flags: flags, mode: 0).get()
        let file = FileHandle(Int32(descriptor), system: system)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= byteCountMax {
            let offset = Int64(bytes.count)
            // The pointer is used inside the call only.
            let result = unsafe piece.withUnsafeMutableBytes {
                unsafe file.read(into: $0, at: offset, cachedOnly: false)
            }
            let count = try result.get()
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
        return nil
    }

    /// Makes a file that only its owner may read; `EEXIST` when there is one of that name.
    ///
    /// Throws what the system says; what was written until then stays. It may wait for a disk.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(Errno) {
        let system = System.withoutLoop
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try system.open(AT_FDCWD, Array(path.utf8), flags: flags, mode: 0o600)
            .get()
        try write(bytes, to: FileHandle(Int32(descriptor), system: system))
    }

    /// Puts a file that only its owner may read in the place of one of that name, if there is one:
    /// whole, or not at all.
    ///
    /// Throws what the system says. It may wait for a disk.
    package static func replace(_ path: String, _ bytes: [UInt8]) throws(Errno) {
        let system = System.withoutLoop
        let part = path + "." + String(decoding: PartName.random(), as: UTF8.self)
        do throws(Errno) {
            try create(part, bytes)
            _ = try system.rename(
                Array(part.utf8), in: AT_FDCWD, to: Array(path.utf8), in: AT_FDCWD, replaces: true
            ).get()
        } catch {
            _ = system.remove(Array(part.utf8), in: AT_FDCWD, isFolder: false)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: FileHandle) throws(Errno) {
        var count = 0
        while count < bytes.count {
            // The pointer is used inside the call only.
            let result = unsafe bytes[count...].withUnsafeBytes {
                unsafe file.system.write(file.descriptor, $0, at: Int64(count))
            }
            let step = try result.get()
            guard step > 0 else { throw .unreadable }
            count += step
        }
    }
}
