import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How paths stay below the root where the kernel has no openat2(2).
extension RootedDirectory {
    /// Opens segment by segment, each in the folder opened before: a link is never followed.
    ///
    /// The caller has refused `..` and NUL.
    func walk(_ segments: [ArraySlice<UInt8>], isFolder: Bool, flags: Int32) -> SystemResult {
        let dot = Array(".".utf8)
        let names = segments.filter { $0 != dot[...] }
        guard let last = names.last else {
            return system.open(root.descriptor, dot, flags: flags | O_DIRECTORY, mode: 0)
        }
        var folder = root
        for name in names.dropLast() {
            let flags = cwharf_O_PATH | O_DIRECTORY | O_NOFOLLOW
            switch system.open(folder.descriptor, Array(name), flags: flags, mode: 0) {
            case .success(let descriptor):
                folder = FileHandle(Int32(descriptor), system: system)
            case .failure(let error):
                return .failure(error)
            }
        }
        let folderFlag = isFolder ? O_DIRECTORY : 0
        return system.open(
            folder.descriptor, Array(last), flags: flags | O_NOFOLLOW | folderFlag, mode: 0)
    }
}
