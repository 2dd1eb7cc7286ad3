#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is being written: nobody else sees it, and it is gone when it is not placed.
///
/// It has no name where the file system can do that (`O_TMPFILE`), so that it ends with its
/// process. Elsewhere it has a ``PartName``, and a lock by which a sweep knows that it is in use.
struct PartFile {
    let folder: FileHandle
    let descriptor: Int32
    /// `nil`: it has none.
    private(set) var name: [UInt8]?

    private var system: System { folder.system }

    private static let attemptCountMax = 16

    /// Makes an empty one: with a name only its owner may read it, without one nobody can.
    init(in folder: FileHandle) throws(Errno) {
        self.folder = folder
        let system = folder.system
        // The mode that a new file is to have, which a named one gets when it is placed.
        switch system.openUnnamed(in: folder.descriptor, mode: 0o666) {
        case .success(let descriptor):
            self.descriptor = Int32(descriptor)
        case .failure(.notSupported), .failure(.noSuchCall):
            (descriptor, name) = try Self.makeNamed(in: folder)
        case .failure(let error):
            throw error
        }
    }

    /// Makes one that is to outlive its process.
    init(heldIn folder: FileHandle) throws(Errno) {
        self.folder = folder
        (descriptor, name) = try Self.makeNamed(in: folder, PartName.randomHeld)
    }

    /// Opens one that an earlier process, or an earlier request, has left.
    ///
    /// `EAGAIN` while somebody else writes it.
    init(resuming name: [UInt8], in folder: FileHandle) throws(Errno) {
        let system = folder.system
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let opened = try system.open(folder.descriptor, name, flags: flags, mode: 0).get()
        let descriptor = Int32(opened)
        guard Self.isHeld(descriptor, name, in: folder) else {
            system.close(descriptor)
            throw .wouldBlock
        }
        self.folder = folder
        self.descriptor = descriptor
        self.name = name
    }

    private static func makeNamed(
        in folder: FileHandle, _ pick: () -> [UInt8] = PartName.random
    ) throws(Errno) -> (Int32, [UInt8]) {
        let system = folder.system
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        for _ in 0..<attemptCountMax {
            let name = pick()
            switch system.open(folder.descriptor, name, flags: flags, mode: 0o600) {
            case .success(let opened):
                let descriptor = Int32(opened)
                if isHeld(descriptor, name, in: folder) { return (descriptor, name) }
                _ = system.remove(name, in: folder.descriptor, isFolder: false)
                system.close(descriptor)
            case .failure(.exists): continue
            case .failure(let error): throw error
            }
        }
        throw .exists
    }

    /// Takes the lock; false when a sweep of another process was between and has the file.
    private static func isHeld(_ descriptor: Int32, _ name: [UInt8], in folder: FileHandle) -> Bool
    {
        let system = folder.system
        // Where files have no locks no sweep removes one either.
        if case .failure(let error) = system.lock(descriptor), error.isWouldBlock { return false }
        guard case .success(let own) = system.status(of: descriptor),
            case .success(let there) = system.status(
                folder.descriptor, name, followsLink: false)
        else { return false }
        return own.inode == there.inode
    }

    /// Gives the file the name where nothing has it: `EEXIST` when something does.
    mutating func link(at place: NamePlace) throws(Errno) {
        if let name {
            return try move(name, to: place, replaces: false)
        }
        _ = try system.link(descriptor, in: place.folder.descriptor, as: place.name).get()
    }

    /// Gives the file the name in the place of what has it; nobody ever sees none or a part.
    mutating func replace(at place: NamePlace) throws(Errno) {
        if let name {
            return try move(name, to: place, replaces: true)
        }
        // A file without a name can't take one from another: it gets one of its own first, and
        // the lock before that, since a sweep may see it.
        _ = system.lock(descriptor)
        for _ in 0..<Self.attemptCountMax {
            let name = PartName.random()
            switch system.link(descriptor, in: place.folder.descriptor, as: name) {
            case .success: break
            case .failure(.exists): continue
            case .failure(let error): throw error
            }
            let answer = system.rename(
                name, in: place.folder.descriptor, to: place.name, in: place.folder.descriptor,
                replaces: true)
            if case .failure(let error) = answer {
                _ = system.remove(name, in: place.folder.descriptor, isFolder: false)
                throw error
            }
            return
        }
        throw .exists
    }

    private mutating func move(_ name: [UInt8], to place: NamePlace, replaces: Bool) throws(Errno) {
        let answer = system.rename(
            name, in: folder.descriptor, to: place.name, in: place.folder.descriptor,
            replaces: replaces)
        switch answer {
        case .success: self.name = nil
        // A file system that can't tell whether the name is taken; a second name can.
        case .failure(.invalidArgument) where !replaces:
            _ = try system.link(descriptor, in: place.folder.descriptor, as: place.name).get()
            discardName()
        case .failure(let error): throw error
        }
    }

    private mutating func discardName() {
        guard let name else { return }
        _ = system.remove(name, in: folder.descriptor, isFolder: false)
        self.name = nil
    }

    /// Closes it, and leaves it where it is.
    mutating func suspend() {
        name = nil
        system.close(descriptor)
    }

    /// Ends it: closed, and gone unless it was placed.
    mutating func close() {
        discardName()
        system.close(descriptor)
    }
}
