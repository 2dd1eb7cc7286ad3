#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What killed processes have left of files that were being written.
extension RootedDirectory {
    /// Removes parts of files and folders that no process is writing, in all folders below the
    /// root: how many.
    ///
    /// A file that another process is writing is locked, and left. Symbolic links are not followed,
    /// and what can't be looked into is left out. It waits for the disk, and takes long in large
    /// folders: for a thread of its own.
    @discardableResult
    package func sweep() -> Int {
        sweep { PartName.isPart($0) }
    }

    /// Removes uploads of which the closure knows nothing, and that were not written to since a time
    /// in seconds since 1970: how many.
    ///
    /// A younger one may be another server's that shares the folder.
    /// The same is true of it as of ``sweep()``.
    @discardableResult
    package func sweepHeld(before time: Int64, except isKnown: ([UInt8]) -> Bool) -> Int {
        sweep(before: time) { PartName.isHeld($0) && !isKnown($0) }
    }

    private func sweep(before time: Int64 = .max, _ isLeftover: ([UInt8]) -> Bool) -> Int {
        var count = 0
        let walk = TreeWalk(of: root, countsReserved: true)
        while let step = walk.next() {
            switch step {
            case .entry(let place, let status):
                guard status.kind == .file, status.modificationSeconds < time,
                    isLeftover(place.name),
                    removeLeftover(place, isLeftover)
                else { continue }
            case .folder(let place):
                guard PartName.isPart(place.name), isLeftover(place.name) else { continue }
                walk.skip()
                guard removeLeftoverFolder(place) else { continue }
            case .folderEnd, .failed: continue
            }
            count += 1
        }
        return count
    }

    /// What was being copied, or removed.
    private func removeLeftoverFolder(_ place: NamePlace) -> Bool {
        guard case .success(let folder) = openFolder(at: place),
            case .success = system.lock(folder.descriptor)
        else { return false }
        return removeTree(at: place).isEmpty
    }

    private func removeLeftover(_ place: NamePlace, _ isLeftover: ([UInt8]) -> Bool) -> Bool {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let folder = place.folder.descriptor
        guard case .success(let opened) = system.open(folder, place.name, flags: flags, mode: 0)
        else { return false }
        let file = FileHandle(Int32(opened), system: system)
        // Under the lock, the name is looked at again: its writer may have taken it away.
        guard case .success = system.lock(file.descriptor),
            case .success(let own) = file.status(),
            case .success(let there) = system.status(folder, place.name, followsLink: false),
            own.inode == there.inode, own.device == there.device,
            // Its record may have been written between.
            isLeftover(place.name),
            case .success = system.remove(place.name, in: folder, isFolder: false)
        else { return false }
        return true
    }
}
