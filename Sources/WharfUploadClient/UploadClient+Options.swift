extension UploadClient {
    /// How an upload is tried again, and what is remembered of it.
    public struct Options: Sendable {
        /// Tries in a row that may fail without a byte more at the server; then it is over.
        public var failureMax = 10
        /// The wait after the first failure; each next one is twice as long, and a random part of it.
        public var firstDelay = Duration.milliseconds(500)
        /// The longest wait.
        public var delayMax = Duration.seconds(30)
        /// The file that remembers resumable uploads over restarts; `nil`: none does.
        ///
        /// It is for its owner's eyes only, as who knows an upload's URL may go on with it.
        public var memoryPath: String?
        /// The longest body of one request of a resumable upload; `nil`: all that is left.
        public var chunkSize: Int64?

        /// Ten tries; nothing is remembered.
        public init() {}

        /// The usual place for ``memoryPath``: `wharf/uploads.json` below XDG_STATE_HOME, else
        /// `~/.local/state`; `nil` without a home.
        public static var defaultMemoryPath: String? { UploadMemory.defaultPath }
    }
}
