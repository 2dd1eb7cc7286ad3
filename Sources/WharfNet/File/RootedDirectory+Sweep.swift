#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What killed processes have left of files that were being written.
extension RootedDirectory {
    /// Removes parts of files that no process is writing, in all folders below the root:
    /// how many.
    ///
    /// A file that another process is writing is locked, and left. Symbolic links are not followed,
    /// and what can't be looked into is left out. It waits for the disk, and takes long in large
    /// folders: for a thread of its own.
    @discardableResult
    package func sweep() -> Int {
        var count = 0
        let walk = TreeWalk(of: root, countsReserved: true)
        while let step = walk.next() {
            guard case .entry(let place, let status) = step, status.kind == .file,
                PartName.isPart(place.name), removeLeftover(place, status)
            else { continue }
            count += 1
        }
        return count
    }

    private func removeLeftover(_ place: NamePlace, _ status: FileStatus) -> Bool {
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
            case .success = system.remove(place.name, in: folder, isFolder: false)
        else { return false }
        return true
    }
}
