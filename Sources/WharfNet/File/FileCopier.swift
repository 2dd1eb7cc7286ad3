#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Copies the content of files to places that nobody sees.
///
/// One task uses it at a time. Its calls wait for the disk: for the pool only.
final class FileCopier {
    private let system: System
    /// One for all small files.
    private lazy var block = [UInt8](repeating: 0, count: Self.blockSize)

    private static let blockSize = 64 * 1024

    init(system: System) {
        self.system = system
    }

    /// Copies a file to a place where nothing is; `size` is what it seems to have, in bytes.
    func copy(_ file: FileHandle, _ size: Int64, to target: NamePlace) throws(Errno) {
        guard size < Self.blockSize else { return try copyLarge(file, size, to: target) }
        // The pointer is used inside the call only.
        let answer = unsafe block.withUnsafeMutableBytes {
            unsafe system.read(file.descriptor, into: $0, at: 0, cachedOnly: false)
        }
        let count = try answer.get()
        // It has grown.
        guard count < Self.blockSize else { return try copyLarge(file, size, to: target) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let made = system.open(target.folder.descriptor, target.name, flags: flags, mode: 0o666)
        let copy = FileHandle(Int32(try made.get()), system: system)
        var done = 0
        while done < count {
            let answer = unsafe block.withUnsafeBytes { bytes in
                unsafe system.write(
                    copy.descriptor, UnsafeRawBufferPointer(rebasing: bytes[done..<count]),
                    at: Int64(done))
            }
            let step = try answer.get()
            guard step > 0 else { throw .unreadable }
            done += step
        }
    }

    private func copyLarge(_ file: FileHandle, _ size: Int64, to target: NamePlace) throws(Errno) {
        let writer = try FileWriter(in: target.folder)
        try writer.reserve(size)
        try FileSource(descriptor: file.descriptor, system: system).copy(to: writer)
        _ = try writer.place(at: target, replaces: false)
    }
}
