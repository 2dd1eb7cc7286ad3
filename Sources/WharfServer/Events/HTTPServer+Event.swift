public import WharfNet

extension HTTPServer {
    /// What happens in a server, for those who watch.
    public enum Event: Sendable {
        /// The server accepts connections.
        case started
        /// The first connection was opened after a time without any.
        case connected
        /// There has been no connection for ``Configuration/disconnectedDelay``.
        case disconnected
        /// A connection was opened.
        case connectionOpened(Peer)
        /// A connection has ended.
        case connectionClosed(ConnectionSummary)
        /// The head of a request has come; no handler has seen it yet.
        case requestBegan(RequestStart)
        /// More of a request or an answer has been moved: see ``Configuration/progressInterval``.
        case progress(TransferProgress)
        /// A request has been answered, or given up.
        case requestEnded(RequestSummary)
        /// ``HTTPServer/reload()`` is done, or has failed: the log tells.
        case reloaded
        /// The listening sockets are closed: see ``HTTPServer/suspend()``.
        case suspended
        /// The server listens again, where it did before.
        case resumed
        /// It could not; if ``Configuration/lifecycle`` wanted it, it is tried again.
        case resumeFailed(Errno)
        /// Bonjour announces a service, with the name that it got.
        case announced(BonjourService)
        /// A service is not announced, or not any more; it is tried again.
        case announcingFailed(BonjourService, BonjourError)
        /// The router has given a port, or another one.
        case portMapped(PortMapping)
        /// The router has given none, or takes it back; it is tried again.
        case portMappingFailed(PortMappingError)
        /// The server is ending: it accepts no more.
        case stopping
        /// The server has ended.
        case stopped
    }
}
