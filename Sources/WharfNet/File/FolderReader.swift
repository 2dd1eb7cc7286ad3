import Synchronization

/// A name in a folder and what it stands for.
package struct FolderEntry: Sendable, Hashable {
    /// The file system's bytes, which may not be UTF-8.
    package let name: [UInt8]
    /// Of a symbolic link, the status of what it leads to; its own when it leads out of the root
    /// or nowhere, so that it can't be opened.
    package let status: FileStatus
}

/// Lists a folder, some entries a time.
///
/// Made by ``RootedDirectory/list(_:)``. Its calls wait for the disk: one job of the pool for each ``next(entryCountMax:)``.
package final class FolderReader: Sendable {
    private let folder: OpenedFile
    private let directory: RootedDirectory
    private let stream: Mutex<FolderStream>

    init(_ folder: OpenedFile, in directory: RootedDirectory, stream: sending FolderStream) {
        self.folder = folder
        self.directory = directory
        self.stream = Mutex(stream)
    }

    deinit {
        stream.withLock { directory.system.close($0) }
    }

    /// The next entries, without `.`, `..` and files that are being written, in no order; none at
    /// the end.
    ///
    /// What disappears while the folder is read is left out, and so is what can't be looked at.
    package func next(entryCountMax: Int = 256) -> Result<[FolderEntry], Errno> {
        stream.withLock { stream in
            var entries: [FolderEntry] = []
            while entries.count < entryCountMax {
                switch directory.system.nextName(of: stream) {
                case .success(let name?):
                    if let entry = entry(name) { entries.append(entry) }
                case .success(nil):
                    return .success(entries)
                case .failure(let error):
                    return .failure(error)
                }
            }
            return .success(entries)
        }
    }

    private func entry(_ name: [UInt8]) -> FolderEntry? {
        if name == Array(".".utf8) || name == Array("..".utf8) { return nil }
        if PartName.isReserved(name) { return nil }
        let answer = directory.system.status(
            folder.handle.descriptor, name, followsLink: false)
        guard case .success(let status) = answer else { return nil }
        let target =
            status.kind == .symbolicLink ? directory.target(of: name, in: folder.path) : nil
        return FolderEntry(name: name, status: target ?? status)
    }
}
