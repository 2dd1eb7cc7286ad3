package import WharfNet

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An empty folder for one test, removed with all that is in it when nobody refers to it any more.
///
/// Paths are relative to it, and may be any bytes: what the tests of file names need.
package final class TemporaryFolder: Sendable {
    /// Its absolute path.
    package let path: String

    /// Makes it below TMPDIR or /tmp.
    package init() throws(Errno) {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/wharf.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Errno(errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        removeTree(Array(path.utf8))
    }

    /// Writes a file, over what was there.
    package func write(_ bytes: [UInt8], to name: [UInt8]) throws(Errno) {
        let descriptor = unsafe open(absolute(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw Errno(errno) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe libcWrite(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw Errno(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes a text file, over what was there.
    package func write(_ text: String, to name: String) throws(Errno) {
        try write(Array(text.utf8), to: Array(name.utf8))
    }

    /// Sets the time of a file's last change, in seconds since 1970.
    package func setTime(of name: String, seconds: Int) throws(Errno) {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        let path = absolute(Array(name.utf8))
        guard unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0 else { throw Errno(errno) }
    }

    /// Makes a folder.
    package func makeFolder(_ name: String) throws(Errno) {
        try makeFolder(Array(name.utf8))
    }

    /// Makes a folder.
    package func makeFolder(_ name: [UInt8]) throws(Errno) {
        guard unsafe mkdir(absolute(name), 0o755) == 0 else { throw Errno(errno) }
    }

    /// Makes a symbolic link whose text is `target`.
    package func link(_ name: String, to target: String) throws(Errno) {
        guard unsafe symlink(target, absolute(Array(name.utf8))) == 0 else { throw Errno(errno) }
    }

    /// The path of a name as C wants it.
    package func absolute(_ name: [UInt8]) -> [CChar] {
        cString(Array("\(path)/".utf8) + name)
    }
}

private func libcWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

private func cString(_ path: [UInt8]) -> [CChar] {
    path.map(CChar.init(bitPattern:)) + [0]
}

/// Removes a file, a link or a folder with all in it, as far as it can.
private func removeTree(_ path: [UInt8]) {
    if unsafe unlink(cString(path)) == 0 { return }
    guard let stream = unsafe opendir(cString(path)) else { return }
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafeMutablePointer(to: &entry.pointee.d_name) { name in
            let first = UnsafeRawPointer(name)
            let count = unsafe strlen(first.assumingMemoryBound(to: CChar.self))
            return unsafe Array(UnsafeRawBufferPointer(start: first, count: Int(count)))
        }
        if name == Array(".".utf8) || name == Array("..".utf8) { continue }
        removeTree(path + Array("/".utf8) + name)
    }
    unsafe closedir(stream)
    unsafe rmdir(cString(path))
}
