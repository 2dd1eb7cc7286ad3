import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A copy that has not got its name yet.
package struct TreeCopy: Sendable {
    /// Where it lies.
    package let place: NamePlace
    /// Keeps it from being swept.
    let folder: FileHandle?
    /// What of the original could not be copied.
    package let failures: [TreeFailure]
}

extension RootedDirectory {
    /// Copies a file, or a folder with or without what is in it, to a place where nothing is: what
    /// could not be copied.
    ///
    /// It is seen while it grows, so the place is one that nobody sees. Of a symbolic link the file
    /// that it leads to below the root is copied; one to a folder is left out, and told. Devices
    /// and pipes are left out. It waits for the disk: for the pool only.
    package func copyTree(_ path: [UInt8], to target: NamePlace, isDeep: Bool) -> [TreeFailure] {
        do throws(Errno) {
            return try copyTree(open(path, cachedOnly: false).get(), to: target, isDeep: isDeep)
                .failures
        } catch {
            return [TreeFailure(path: [], error: error)]
        }
    }

    /// Copies to a place where something may be, and says whether nothing was.
    ///
    /// `replaces`: whether what is there is removed, when all that can be copied is; if nothing can,
    /// it stays. Else `EEXIST`. `needsAll`: it stays if anything can't be copied.
    package func copy(
        _ path: [UInt8], to target: NamePlace, replaces: Bool, isDeep: Bool, needsAll: Bool = false
    ) throws(Errno) -> (isNew: Bool, failures: [TreeFailure]) {
        if !replaces, try target.status().get() != nil { throw .exists }
        let copy = try copyAside(path, beside: target, isDeep: isDeep)
        do throws(Errno) {
            if needsAll, let failure = copy.failures.first { throw failure.error }
            return (try move(copy.place, to: target, replaces: replaces), copy.failures)
        } catch {
            _ = removeTree(at: copy.place)
            throw error
        }
    }

    /// Copies to a name that nobody sees in the folder of a place, to be put there.
    ///
    /// Whoever doesn't removes it; after a kill the next ``sweep()`` does.
    package func copyAside(_ path: [UInt8], beside target: NamePlace, isDeep: Bool) throws(Errno)
        -> TreeCopy
    {
        let source = try open(path, cachedOnly: false).get()
        let made = NamePlace(folder: target.folder, name: PartName.random())
        do throws(Errno) {
            let copy = try copyTree(source, to: made, isDeep: isDeep)
            if let failure = copy.failures.first, failure.path.isEmpty { throw failure.error }
            return copy
        } catch {
            _ = removeTree(at: made)
            throw error
        }
    }

    private func copyTree(
        _ source: OpenedFile, to target: NamePlace, isDeep: Bool
    ) throws(Errno) -> TreeCopy {
        guard source.status.kind == .folder else {
            try FileCopier(system: system).copy(source.handle, source.status.size, to: target)
            return TreeCopy(place: target, folder: nil, failures: [])
        }
        try makeFolder(at: target).get()
        let made = try openFolder(at: target).get()
        // While it is held no sweep takes it for a leftover.
        _ = system.lock(made.descriptor)
        let failures = isDeep ? copyContents(of: source, to: made) : []
        return TreeCopy(place: target, folder: made, failures: failures)
    }

    private func copyContents(of source: OpenedFile, to target: FileHandle) -> [TreeFailure] {
        let walk = TreeWalk(of: source.handle, countsReserved: false)
        guard case .success(let own) = target.status() else { return [] }
        let copier = FileCopier(system: system)
        var folders = [target]
        var failures: [TreeFailure] = []
        func note(_ error: Errno, _ path: [UInt8]) {
            guard failures.count < TreeFailure.countMax else { return }
            failures.append(TreeFailure(path: path, error: error))
        }
        while let step = walk.next(), let folder = folders.last {
            switch step {
            case .folder(let place):
                let copy = NamePlace(folder: folder, name: place.name)
                do throws(Errno) {
                    // The copy itself, in what is copied, would have no end.
                    let status = try place.status().get()
                    guard status?.inode != own.inode || status?.device != own.device else {
                        throw .invalidArgument
                    }
                    try makeFolder(at: copy).get()
                    folders.append(try openFolder(at: copy).get())
                } catch {
                    walk.skip()
                    note(error, walk.path(of: place.name))
                }
            case .folderEnd: folders.removeLast()
            case .entry(let place, let status):
                let copy = NamePlace(folder: folder, name: place.name)
                let path = walk.path(of: place.name)
                do throws(Errno) {
                    try self.copy(status, place, source.path, path, to: copy, copier)
                } catch {
                    note(error, path)
                }
            case .failed(let place, let error): note(error, walk.path(of: place.name))
            }
        }
        if let error = walk.topError { note(error, []) }
        return failures
    }

    /// Copies an entry of a folder whose path is `top`, at `path` below it.
    private func copy(
        _ status: FileStatus, _ place: NamePlace, _ top: [UInt8], _ path: [UInt8],
        to target: NamePlace, _ copier: FileCopier
    ) throws(Errno) {
        switch status.kind {
        case .folder, .other: return
        case .file:
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
            let opened = system.open(place.folder.descriptor, place.name, flags: flags, mode: 0)
            let file = FileHandle(Int32(try opened.get()), system: system)
            try copier.copy(file, status.size, to: target)
        case .symbolicLink:
            let slash = top.isEmpty ? [] : [UInt8(ascii: "/")]
            let opened = try open(top + slash + path, cachedOnly: false).get()
            guard opened.status.kind == .file else { throw .symbolicLinkLoop }
            try copier.copy(opened.handle, opened.status.size, to: target)
        }
    }
}
