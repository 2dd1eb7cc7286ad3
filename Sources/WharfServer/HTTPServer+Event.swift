public import WharfHTTP
public import WharfNet

extension HTTPServer {
    /// What happens in a server, for those who watch.
    public enum Event: Sendable {
        /// The server accepts connections.
        case started
        /// The first connection was opened after a time without any.
        case connected
        /// The last connection has ended.
        case disconnected
        /// A request has been answered, or given up.
        case requestEnded(RequestSummary)
        /// The server is ending: it accepts no more.
        case stopping
        /// The server has ended.
        case stopped
    }

    /// One request, when it is over.
    public struct RequestSummary: Sendable {
        /// The method.
        public let method: HTTPRequest.Method
        /// The target as it was sent.
        public let target: String
        /// The status of the answer; `nil` when the client was gone before there was one.
        public let status: HTTPResponse.Status?
        /// Bytes of the answer's body that the kernel took to send, without what frames chunks.
        ///
        /// The client has not always read them all.
        public let byteCount: Int64
        /// Whether the kernel took all of the answer.
        ///
        /// False when it was cut: the client has left or was too slow, a file or a stream has
        /// failed, the server was stopped.
        public let isComplete: Bool
        /// From the head's last byte to the answer's last.
        public let duration: Duration
        /// The other end of the connection.
        public let peer: Peer
        /// Who asked: the peer, or who is behind it (see ``TrustedProxies``).
        public let clientAddress: SocketAddress
    }
}
