public import WharfHTTP

extension HTTPServer {
    /// Closures that a server asks at moments when no middleware has its turn.
    ///
    /// Unless it says otherwise, they run on an event loop and must not block.
    public struct Hooks: Sendable {
        /// Whether to talk to a peer: a connection that it refuses is closed at once.
        ///
        /// It is asked before the bounds of connections are looked at.
        public var accepts: (@Sendable (Peer) -> Bool)?
        /// Changes a request before a route is looked for: its path, its method, its fields.
        ///
        /// Host and Origin have been checked. What the body is can't be changed. Logs and events
        /// tell of the changed request.
        public var rewrites: (@Sendable (inout HTTPRequest) -> Void)?
        /// Reads again what was read at the start, and may have changed: see ``HTTPServer/reload()``.
        ///
        /// Unlike the others it runs on the pool and may block. What it throws is logged.
        public var reloads: (@Sendable (HTTPServer) async throws -> Void)?

        /// None.
        public init() {}
    }
}
