package import WharfNet

/// What only a drive does.
extension Share {
    /// Makes an empty file where nothing is, as LOCK does (RFC 4918 §7.3); for the pool.
    ///
    /// Nobody is asked: who locks a name writes to it later, and the delegate hears of that. Throws
    /// the ``HTTPError`` to be answered.
    package func makeFile(_ path: [UInt8]) throws {
        try checkWritable()
        try checkFile(path)
        do {
            let place = try root.place(of: path).get()
            let writer = try FileWriter(in: place.folder, length: 0)
            _ = try writer.place(at: place, replaces: false)
        } catch {
            throw HTTPError.writing(error)
        }
    }

    /// Sets when a file or folder was changed last, in nanoseconds since 1970; for the pool.
    package func setModificationTime(_ time: Int64, of path: [UInt8]) throws(Errno) {
        let opened = try root.open(path, cachedOnly: false).get()
        let system = opened.handle.system
        _ = try system.setModificationTime(of: opened.handle.descriptor, to: time).get()
    }

    /// The room of the file system that the folder lies on, if that is known; for the pool.
    package func space() -> FileSpace? {
        guard case .success(let opened) = root.open([], cachedOnly: false),
            case .success(let space) = opened.handle.system.space(of: opened.handle.descriptor)
        else { return nil }
        return space
    }
}
