import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A name in an open folder: where a file is to be written, moved or removed.
///
/// The name itself is never followed if it is that of a symbolic link, so whatever is done here is
/// done below the root that the folder lies below.
package struct NamePlace: Sendable {
    /// The folder; it may have been opened for this alone, and not for reading.
    package let folder: FileHandle
    /// One name: neither `.` nor `..`, and none of ``PartName``.
    package let name: [UInt8]

    var system: System { folder.system }

    /// What lies there, a symbolic link itself: `nil` if nothing does.
    package func status() -> Result<FileStatus?, Errno> {
        switch system.status(folder.descriptor, name, followsLink: false) {
        case .success(let status): .success(status)
        case .failure(.notFound): .success(nil)
        case .failure(let error): .failure(error)
        }
    }

    /// Whether the other name differs in case or normal form alone, in the same folder.
    func isSpelling(of other: NamePlace) -> Bool {
        guard case .success(let one) = folder.status(),
            case .success(let two) = other.folder.status(), one.isSame(as: two)
        else { return false }
        return String(decoding: name, as: UTF8.self).lowercased()
            == String(decoding: other.name, as: UTF8.self).lowercased()
    }

    /// Waits until the disk has the folder's names.
    func syncFolder() -> SystemResult {
        let flags = O_RDONLY | O_DIRECTORY
        let answer = system.open(folder.descriptor, Array(".".utf8), flags: flags, mode: 0)
        return answer.flatMap { descriptor in
            let opened = FileHandle(Int32(descriptor), system: system)
            return system.sync(opened.descriptor)
        }
    }
}

extension RootedDirectory {
    /// The place of a path below the root, whose folder has to be there.
    ///
    /// Fails with `EPERM` for the root itself, `EACCES` for a name that is reserved, and as
    /// ``open(_:cachedOnly:)`` does for the folder. It waits for the disk: for the pool only.
    package func place(of path: [UInt8]) -> Result<NamePlace, Errno> {
        let slash = UInt8(ascii: "/")
        let nameStart = path.lastIndex(of: slash).map { $0 + 1 } ?? 0
        let name = Array(path[nameStart...])
        guard !path.isEmpty else { return .failure(.notPermitted) }
        guard path.first != slash else { return .failure(.crossDevice) }
        guard !name.isEmpty, name != Array(".".utf8), name != Array("..".utf8) else {
            return .failure(.invalidArgument)
        }
        guard !PartName.isReserved(name) else { return .failure(.accessDenied) }
        return folder(Array(path[..<max(0, nameStart - 1)])).map { folder in
            NamePlace(folder: folder, name: name)
        }
    }

    /// Opens a folder to do something with the names in it.
    func folder(_ path: [UInt8]) -> Result<FileHandle, Errno> {
        let flags = cwharf_O_PATH | O_DIRECTORY | O_CLOEXEC
        return openDescriptor(path, flags: flags, cachedOnly: false).map {
            FileHandle($0, system: system)
        }
    }
}
