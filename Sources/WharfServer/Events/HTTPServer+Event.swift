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
        /// The server is ending: it accepts no more.
        case stopping
        /// The server has ended.
        case stopped
    }
}
