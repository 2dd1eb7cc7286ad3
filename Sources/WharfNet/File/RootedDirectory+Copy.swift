import CWharf

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension RootedDirectory {
    /// Copies a file, or a folder with or without what is in it, to a place where nothing is: what
    /// could not be copied.
    ///
    /// A file is seen when it is complete. Of a symbolic link the file that it leads to below the
    /// root is copied; one to a folder is left out, and told. Devices and pipes are left out. It
    /// waits for the disk: for the pool only.
    package func copyTree(_ path: [UInt8], to target: NamePlace, isDeep: Bool) -> [TreeFailure] {
        let opened: OpenedFile
        switch open(path, cachedOnly: false) {
        case .success(let file): opened = file
        case .failure(let error): return [TreeFailure(path: [], error: error)]
        }
        do throws(Errno) {
            guard opened.status.kind == .folder else {
                try copy(opened.handle, opened.status.size, to: target)
                return []
            }
            try makeFolder(at: target).get()
            let made = try openFolder(at: target).get()
            return isDeep ? copyContents(of: opened, to: made) : []
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
        guard try target.status().get() != nil else {
            return (true, try copy(path, to: target, isDeep: isDeep))
        }
        guard replaces else { throw .exists }
        // Under a name of its own until it is complete: what is there stays where it is.
        let made = NamePlace(folder: target.folder, name: PartName.random())
        do throws(Errno) {
            let failures = try copy(path, to: made, isDeep: isDeep)
            if needsAll, let failure = failures.first { throw failure.error }
            _ = try move(made, to: target, replaces: true)
            return (false, failures)
        } catch {
            _ = removeTree(at: made)
            throw error
        }
    }

    private func copy(
        _ path: [UInt8], to target: NamePlace, isDeep: Bool
    ) throws(Errno) -> [TreeFailure] {
        let failures = copyTree(path, to: target, isDeep: isDeep)
        if let failure = failures.first, failure.path.isEmpty { throw failure.error }
        return failures
    }

    private func copyContents(of source: OpenedFile, to target: FileHandle) -> [TreeFailure] {
        let walk = TreeWalk(of: source.handle, countsReserved: false)
        guard case .success(let own) = target.status() else { return [] }
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
                    try self.copy(status, place, source.path, path, to: copy)
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
        to target: NamePlace
    ) throws(Errno) {
        switch status.kind {
        case .folder, .other: return
        case .file:
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
            let opened = system.open(place.folder.descriptor, place.name, flags: flags, mode: 0)
            try copy(
                FileHandle(Int32(opened.get()), system: system), status.size, to: target)
        case .symbolicLink:
            let slash = top.isEmpty ? [] : [UInt8(ascii: "/")]
            let opened = try open(top + slash + path, cachedOnly: false).get()
            guard opened.status.kind == .file else { throw .symbolicLinkLoop }
            try copy(opened.handle, opened.status.size, to: target)
        }
    }

    /// Copies a file's content; `size` is what is reserved for it.
    private func copy(_ file: FileHandle, _ size: Int64, to target: NamePlace) throws(Errno) {
        let writer = try FileWriter(in: target.folder)
        try writer.reserve(size)
        try FileSource(descriptor: file.descriptor, system: system).copy(to: writer)
        _ = try writer.place(at: target, replaces: false)
    }
}
