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
    /// As ``put(_:at:replaces:)``, and what had the name is removed. It waits for the disk: for the
    /// pool only.
    package func move(_ place: NamePlace, to target: NamePlace, replaces: Bool) throws(Errno)
        -> Bool
    {
        let outcome = try put(place, at: target, replaces: replaces)
        if let leftover = outcome.leftover { _ = removeTree(at: leftover) }
        return outcome.isNew
    }

    /// Gives what lies at a place another name: whether nothing had it before, and where the folder
    /// that had it lies now, for the caller to remove.
    ///
    /// `replaces`: whether what has the name gives way, a folder with all that is in it; it is
    /// there again if the move fails. Else `EEXIST`. `EINVAL` says that a folder can't go below
    /// itself, `EXDEV` that the new place lies on another file system. It is done at once, however
    /// much is in a folder.
    package func put(_ place: NamePlace, at target: NamePlace, replaces: Bool) throws(Errno)
        -> (isNew: Bool, leftover: NamePlace?)
    {
        guard let source = try place.status().get() else { throw .notFound }
        let existing = try target.status().get()
        if let existing, existing.isSame(as: source) {
            // One file under two names: nothing would be moved. But where `a` and `A` are one name
            // it is spelled in another way, and must not be removed first.
            guard place.isSpelling(of: target) else { throw .exists }
            try rename(place, to: target, replaces: true)
            return (true, nil)
        }
        if existing != nil, !replaces { throw .exists }
        switch (source.kind, existing?.kind) {
        case (_, nil):
            try rename(place, to: target, replaces: false)
        case (.folder, _), (_, .folder):
            return (
                false,
                try replaceTree(target) { () throws(Errno) in
                    try rename(place, to: target, replaces: false)
                }
            )
        default:
            try rename(place, to: target, replaces: true)
        }
        return (existing == nil, nil)
    }

    /// Takes a name from what has it: where that lies now, for the caller to remove.
    ///
    /// If nobody does, the next ``sweep()`` will.
    package func putAside(_ place: NamePlace) throws(Errno) -> NamePlace {
        let aside = NamePlace(folder: place.folder, name: PartName.random())
        try rename(place, to: aside, replaces: false)
        return aside
    }

    /// Brings back what was put aside, unless something else has its name.
    package func bringBack(_ aside: NamePlace, to place: NamePlace) throws(Errno) {
        try rename(aside, to: place, replaces: false)
    }

    /// Puts what lies at a place aside while the closure puts something else there.
    ///
    /// Hands out where it lies now. It is brought back if the closure throws.
    func replaceTree(_ place: NamePlace, _ body: () throws(Errno) -> Void) throws(Errno)
        -> NamePlace
    {
        let kept = NamePlace(folder: place.folder, name: PartName.randomAside())
        try rename(place, to: kept, replaces: false)
        do throws(Errno) {
            try body()
        } catch {
            // If it can't be brought back it is not lost: no sweep takes it, and an operator finds it.
            try? rename(kept, to: place, replaces: false)
            throw error
        }
        // From now on nobody wants it. If this fails it is removed under the other name.
        return (try? putAside(kept)) ?? kept
    }

    private func rename(_ place: NamePlace, to target: NamePlace, replaces: Bool) throws(Errno) {
        let answer = system.rename(
            place.name, in: place.folder.descriptor, to: target.name,
            in: target.folder.descriptor, replaces: replaces)
        _ = try answer.get()
    }
}
