import WharfStore

extension WebDAVHandler {
    /// How a drive behaves.
    public struct Options: Sendable {
        /// The folder that locks and properties are kept in; `nil`: they end with the process.
        ///
        /// It has to be there, and must not lie below the share. One process can use it at a time.
        public var stateFolder: String?

        /// How long a lock is held if the client doesn't say.
        public var lockTimeout = Duration.seconds(3600)

        /// The longest that a lock is held without being refreshed.
        public var lockTimeoutMax = Duration.seconds(7 * 24 * 3600)

        /// How many resources PROPFIND with Depth: infinity lists.
        ///
        /// If there are more, the answer is 403 with `propfind-finite-depth`. Zero refuses all.
        public var infiniteListMax = 10_000

        /// The longest body of XML that is read, in bytes.
        public var xmlByteCountMax = 1 << 20

        /// Whether names that begin with a dot exist for the drive's clients; `nil`: if they can write.
        ///
        /// Finder, Joplin and Obsidian keep files of such names beside others, and fail without. The
        /// pages for browsers don't list them: that is ``DirectoryHandler/Options/showsHidden``'s.
        public var showsHidden: Bool?

        /// Whether PUT with Content-Range and sabre/dav's PATCH write into files.
        ///
        /// A copy of the file is changed and takes its place, which costs as much time and room as
        /// the file has. Without, both are refused and nothing is changed.
        public var allowsPartialWrites = false

        /// What clients see before the handler's own prefix, if a proxy in front takes it off: a
        /// path such as `/files`, percent-encoded and without a slash at its end.
        public var basePath = ""

        /// In memory, with locks of an hour.
        public init() {}
    }
}

/// The folder for the state of a ``WebDAVHandler`` can't be used.
public struct WebDAVStateError: Error, Sendable, CustomStringConvertible {
    /// The folder.
    public let folder: String
    /// What is wrong.
    public let reason: String

    init(folder: String, _ error: any Error) {
        self.folder = folder
        let store = error as? StoreError
        reason = store?.isInUse == true ? "another process uses it" : "\(error)"
    }

    /// Both, in a line.
    public var description: String { "\(folder): \(reason)" }
}
