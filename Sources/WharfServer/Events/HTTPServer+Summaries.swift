public import WharfHTTP
public import WharfNet

extension HTTPServer {
    /// Names a request among all of a server's.
    public struct RequestID: Sendable, Hashable {
        /// The connection's number.
        public let connectionID: UInt64
        /// Which request of the connection it is, from 1.
        public let number: Int
    }

    /// One request, when its head has come.
    public struct RequestStart: Sendable {
        /// Its name in later events.
        public let id: RequestID
        /// Method, target and fields.
        public let head: HTTPRequest
        /// The other end of the connection.
        public let peer: Peer
        /// Who asked: the peer, or who is behind it (see ``TrustedProxies``).
        public let clientAddress: SocketAddress
    }

    /// How far a request under way has got.
    public struct TransferProgress: Sendable, Hashable {
        /// Its name in the other events.
        public let id: RequestID
        /// Bytes of its body that have been read.
        public let receivedByteCount: Int64
        /// Bytes that its body has; `nil` if the client has not said.
        public let receivedTotal: Int64?
        /// Bytes of the answer's body that the kernel took to send.
        public let sentByteCount: Int64
        /// Bytes that the answer's body has; `nil` as long as that isn't known.
        public let sentTotal: Int64?
    }

    /// One request, when it is over.
    public struct RequestSummary: Sendable {
        /// Its name in the events before.
        public let id: RequestID
        /// Method, target and fields.
        ///
        /// Fields may be secret: Authorization and Cookie are among them.
        public let head: HTTPRequest
        /// `HTTP/1.1` or `HTTP/1.0`.
        public let version: String
        /// The status of the answer; `nil` when the client was gone before there was one.
        public let status: HTTPResponse.Status?
        /// Bytes of the request's body that have been read.
        public let receivedByteCount: Int64
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
        /// When the answer had ended, in milliseconds since 1970 UTC.
        public let endMilliseconds: Int64
        /// The other end of the connection.
        public let peer: Peer
        /// Who asked: the peer, or who is behind it (see ``TrustedProxies``).
        public let clientAddress: SocketAddress
        /// The name that the client has logged in with.
        public let userName: String?

        /// The method.
        public var method: HTTPRequest.Method { head.method }
        /// The target as it was sent.
        public var target: String { head.path ?? head.authority ?? "*" }
    }

    /// One connection, when it is over.
    public struct ConnectionSummary: Sendable {
        /// The other end.
        public let peer: Peer
        /// Requests that came on it.
        public let requestCount: Int
        /// All bytes that were received.
        public let receivedByteCount: Int64
        /// All bytes that the kernel took to send.
        public let sentByteCount: Int64
    }
}
