public import WharfHTTP

extension DirectoryHandler {
    /// What may be seen, and how.
    public struct Options: Sendable {
        /// Whether names that begin with a dot exist for clients.
        public var showsHidden = false

        /// Whether symbolic links are followed while they stay below the folder; else none exists.
        ///
        /// Those that lead out of it never do. Of a ``Share`` it is the share's to say. Without links each file is opened on the server's
        /// pool, which takes longer.
        public var followsLinks = true

        /// The file that stands for its folder, such as `index.html`; `nil`: none does.
        public var indexName: String?

        /// Whether a folder without such a file is answered with a page that lists it, or 404.
        public var listsFolders = true

        /// What the pages call the root; `nil`: the last name of its path.
        public var title: String?

        /// How long clients may keep a file before they ask again.
        ///
        /// Zero: they may keep it and are to ask each time, so that a change is seen at once.
        /// `nil`: nothing is said, and caches guess.
        public var cacheAge: Duration? = .zero

        /// The media types by extension, and the charset of text.
        public var mediaTypes = MediaTypeMap()

        /// Whether `name.gz`, if it lies there and is no older, is sent in the place of `name` to
        /// clients that take gzip.
        ///
        /// Only files of types that compress are looked at: text, JSON, XML, scripts, SVG, WebAssembly.
        public var sendsPrecompressed = true

        /// Whether pages and images may run no script and have no access to what else is served
        /// from here: for folders that strangers write to.
        public var sandboxesFiles = false

        /// Lists folders, hides dot files, takes no file for an index.
        public init() {}
    }
}
