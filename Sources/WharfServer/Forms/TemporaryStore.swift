import WharfNet

/// The folder for files that are not in their place yet.
enum TemporaryStore {
    /// Opens it; throws what the system says.
    ///
    /// It waits for the disk: for the pool only.
    static func open(_ path: String?) throws(Errno) -> FileHandle {
        let root = try RootedDirectory(
            path: path ?? ProcessSettings.temporaryFolder, system: .withoutLoop)
        return try root.place(of: Array("file".utf8)).get().folder
    }
}
