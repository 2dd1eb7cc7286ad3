public import WharfHTTP

extension CORS {
    /// Whose pages may use a server, and for what.
    public struct Options: Sendable {
        /// Which pages.
        public enum Sites: Sendable, Hashable {
            /// Those of every site. They never get to use a login that the browser remembers.
            case any
            /// Those of these origins: `https://app.example.org`, with the port if it is not the
            /// usual one. What is no origin stands for nothing.
            case these([String])
        }

        /// Whose pages.
        public var sites: Sites
        /// Whether requests may be sent with cookies and logins that the browser remembers.
        ///
        /// Without an effect for ``Sites/any``.
        public var allowsCredentials = false
        /// Methods that pages may use; `nil`: all that the server knows.
        public var methods: [HTTPRequest.Method]?
        /// Fields that pages may send; `nil`: whichever they ask for.
        public var requestFields: [HTTPField.Name]?
        /// Fields of answers that pages may read, besides the few that they always may.
        public var exposedFields: [HTTPField.Name] = [
            .acceptRanges, .contentDisposition, .contentLength, .contentRange, .date, .eTag,
            .location, .retryAfter, .wwwAuthenticate,
            // What a page needs that uploads, by tus or the IETF's way.
            .contentLocation, .uploadOffset, .uploadLength, .uploadDeferLength, .uploadMetadata,
            .uploadExpires, .uploadConcat, .uploadComplete, .uploadIncomplete, .uploadLimit,
            .tusResumable, .tusVersion, .tusExtension, .tusMaxSize, .tusChecksumAlgorithm,
        ]
        /// How long a browser may go by the answer to its question.
        public var maxAge = Duration.seconds(600)
        /// Whether pages from the Internet may use a server on a private network.
        public var allowsPrivateNetwork = false

        /// Lets pages of some sites in, without what the browser remembers of logins.
        public init(sites: Sites) {
            self.sites = sites
        }
    }
}
