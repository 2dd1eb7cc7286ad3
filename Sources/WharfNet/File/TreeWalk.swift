#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Goes through all that lies below a folder, with memory for as many names as it is deep.
///
/// Symbolic links are entries, and never followed. It waits for the disk: for the pool only.
package final class TreeWalk {
    package enum Step {
        /// A folder, before what is in it.
        case folder(NamePlace)
        /// Anything else.
        case entry(NamePlace, FileStatus)
        /// The end of a folder whose `folder` step was told, after what is in it.
        case folderEnd(NamePlace)
        /// A folder that can't be read, or lies too deep; the walk goes on behind it.
        case failed(NamePlace, Errno)
    }

    private struct Level {
        /// The folder's own name, above; `nil` for the top.
        let place: NamePlace?
        let folder: FileHandle
        let stream: FolderStream
    }

    /// Each level holds two descriptors.
    static let depthMax = 256

    private let system: System
    private let countsReserved: Bool
    private var levels: [Level] = []
    /// Why nothing can be walked; told once.
    package private(set) var topError: Errno?

    /// Walks below an open folder.
    ///
    /// Names of a ``PartName`` are entries with `countsReserved` only.
    package init(of folder: FileHandle, countsReserved: Bool) {
        system = folder.system
        self.countsReserved = countsReserved
        switch system.openStream(of: folder.descriptor) {
        case .success(let stream):
            levels = [Level(place: nil, folder: folder, stream: stream)]
        case .failure(let error):
            topError = error
        }
    }

    deinit {
        for level in levels { system.close(level.stream) }
    }

    /// The next step; `nil` at the end.
    package func next() -> Step? {
        while let level = levels.last {
            switch system.nextName(of: level.stream) {
            case .success(let name?):
                if let step = step(name, in: level.folder) { return step }
            case .success(nil):
                return end(level)
            case .failure(let error):
                _ = end(level)
                guard let place = level.place else {
                    topError = error
                    return nil
                }
                return .failed(place, error)
            }
        }
        return nil
    }

    /// Leaves out what is in the folder that the step before has told; its end is not told.
    package func skip() {
        guard let level = levels.last, level.place != nil else { return }
        _ = end(level)
    }

    /// Where a name lies that the step before has told, below the top: for all steps but `folder`,
    /// and for that after ``skip()``.
    package func path(of name: [UInt8]) -> [UInt8] {
        Array(
            (levels.compactMap { $0.place?.name } + [name]).joined(separator: [UInt8(ascii: "/")]))
    }

    /// Where the folder lies that the step before has told, below the top.
    package var pathOfFolder: [UInt8] {
        Array(levels.compactMap { $0.place?.name }.joined(separator: [UInt8(ascii: "/")]))
    }

    private func end(_ level: Level) -> Step? {
        system.close(level.stream)
        levels.removeLast()
        return level.place.map { .folderEnd($0) }
    }

    private func step(_ name: [UInt8], in folder: FileHandle) -> Step? {
        if name == Array(".".utf8) || name == Array("..".utf8) { return nil }
        if !countsReserved, PartName.isReserved(name) { return nil }
        // What has disappeared meanwhile is left out.
        guard
            case .success(let status) = system.status(
                folder.descriptor, name, followsLink: false)
        else { return nil }
        let place = NamePlace(folder: folder, name: name)
        guard status.kind == .folder else { return .entry(place, status) }
        guard levels.count < Self.depthMax else { return .failed(place, .nameTooLong) }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        switch system.open(folder.descriptor, name, flags: flags, mode: 0) {
        case .success(let descriptor):
            let handle = FileHandle(Int32(descriptor), system: system)
            switch system.openStream(of: handle.descriptor) {
            case .success(let stream):
                levels.append(Level(place: place, folder: handle, stream: stream))
                return .folder(place)
            case .failure(let error): return .failed(place, error)
            }
        case .failure(let error): return .failed(place, error)
        }
    }
}
