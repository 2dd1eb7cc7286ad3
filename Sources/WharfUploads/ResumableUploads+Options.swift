import WharfStore

extension ResumableUploads {
    /// How uploads are taken.
    public struct Options: Sendable {
        /// The folder that keeps what is known of uploads over restarts; `nil`: they end with the
        /// process.
        ///
        /// It has to be there, and must not lie below the share. One process can use it at a time, and
        /// one should take uploads into a folder: parts that it does not know are removed.
        public var stateFolder: String?

        /// How long an upload that nobody goes on with is kept.
        public var lifetime = Duration.seconds(24 * 3600)

        /// Uploads of one user that are not complete; more are answered 429.
        ///
        /// All who are asked for no login are one user.
        public var countMaxPerUser = 1000

        /// Uploads of all users that are not complete.
        public var countMax = 10_000

        /// Bytes that a user's uploads that are not complete may be announced to have together.
        ///
        /// `nil`: as many as there is room for. More are answered 507.
        public var byteCountMaxPerUser: Int64?

        /// What becomes of a tus upload whose name is taken, unless its metadata says `conflict`:
        /// `keep-both`, `replace` or `refuse`.
        ///
        /// The IETF's uploads go to the URL that was asked for, and do what a PUT there would do.
        public var nameClash = NameClash.keepBoth

        /// What clients see before the handler's own prefix, if a proxy in front takes it off: a
        /// path such as `/files`, percent-encoded and without a slash at its end.
        public var basePath = ""

        /// In memory, for a day.
        public init() {}
    }
}

/// The folder for the state of ``ResumableUploads`` can't be used.
public struct UploadStateError: Error, Sendable, CustomStringConvertible {
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
