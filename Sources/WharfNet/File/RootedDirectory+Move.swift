import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension RootedDirectory {
    /// Opens the folder at a place for reading; a symbolic link is `ENOTDIR` or `ELOOP`.
    func openFolder(at place: NamePlace) -> Result<FileHandle, Errno> {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        let answer = system.open(place.folder.descriptor, place.name, flags: flags, mode: 0)
        return answer.map { FileHandle(Int32($0), system: system) }
    }

    /// Makes an empty folder; `EEXIST` when something is there.
    package func makeFolder(at place: NamePlace) -> Result<Void, Errno> {
        system.makeFolder(place.name, in: place.folder.descriptor, mode: 0o777).map { _ in }
    }

    /// Gives what lies at a place another name, and says whether nothing had it before.
    ///
    /// `replaces`: whether what has the name is removed, a folder with all that is in it; it is
    /// there again if the move fails. Else `EEXIST`. `EINVAL` says that a folder can't go below
    /// itself, `EXDEV` that the new place lies on another file system. It waits for the disk: for
    /// the pool only.
    package func move(_ place: NamePlace, to target: NamePlace, replaces: Bool) throws(Errno)
        -> Bool
    {
        guard let source = try place.status().get() else { throw .notFound }
        let existing = try target.status().get()
        if existing != nil, !replaces { throw .exists }
        if let existing, existing.inode == source.inode, existing.device == source.device {
            // One file under two names: nothing would be moved.
            throw .exists
        }
        switch (source.kind, existing?.kind) {
        case (_, nil):
            try rename(place, to: target, replaces: false)
        case (.folder, _), (_, .folder):
            try replaceTree(target) { () throws(Errno) in
                try rename(place, to: target, replaces: false)
            }
        default:
            try rename(place, to: target, replaces: true)
        }
        return existing == nil
    }

    /// Puts what lies at a place aside while the closure puts something else there; then removes
    /// it, or brings it back if the closure throws.
    func replaceTree(_ place: NamePlace, _ body: () throws(Errno) -> Void) throws(Errno) {
        let aside = NamePlace(folder: place.folder, name: PartName.randomAside())
        try rename(place, to: aside, replaces: false)
        do throws(Errno) {
            try body()
        } catch {
            // If it can't be brought back it is not lost: no sweep takes it, and an operator finds it.
            try? rename(aside, to: place, replaces: false)
            throw error
        }
        _ = removeTree(at: aside)
    }

    private func rename(_ place: NamePlace, to target: NamePlace, replaces: Bool) throws(Errno) {
        let answer = system.rename(
            place.name, in: place.folder.descriptor, to: target.name,
            in: target.folder.descriptor, replaces: replaces)
        _ = try answer.get()
    }
}
