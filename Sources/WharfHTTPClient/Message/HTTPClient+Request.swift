public import WharfHTTP

extension HTTPClient {
    /// What is asked: a method, a URL, fields and a body.
    public struct Request: Sendable {
        /// The method.
        public var method: HTTPRequest.Method
        /// What is asked for.
        public var url: HTTPURL
        /// The fields; those that frame the body are made of ``body``, whatever is said here.
        public var fields: HTTPFields
        /// The body.
        public var body: Body
        /// Called, on the client's loop, for each interim answer (1xx) as it comes; it must not block.
        public var onInterim: (@Sendable (HTTPResponse) -> Void)?
        /// Counts the bytes of the body that have left.
        public var progress: BodyProgress?

        /// A request.
        public init(
            _ method: HTTPRequest.Method = .get, _ url: HTTPURL, fields: HTTPFields = [:],
            body: Body = .none
        ) {
            self.method = method
            self.url = url
            self.fields = fields
            self.body = body
        }
    }
}
