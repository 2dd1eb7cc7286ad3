public import WharfHTTP
public import WharfNet

/// Why there is no answer, or not all of one.
///
/// An answer with a status that tells of a failure is no error of this kind.
public struct HTTPClientError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Kind: Sendable, Hashable {
        /// The host's name leads nowhere.
        case unknownHost
        /// No connection could be made.
        case notConnected
        /// The connection is not secure: the handshake failed, or the certificate is not trusted.
        case notSecure
        /// The proxy did not open a way; its status, if it has answered.
        case proxyRefused(HTTPResponse.Status)
        /// Nothing moved for too long, or connecting took too long.
        case timedOut
        /// The exchange as a whole took too long.
        case expired
        /// The connection broke, or closed before the answer was whole.
        case connectionLost
        /// What came is no HTTP/1.1, or contradicts itself.
        case malformedAnswer
        /// The head, the interim answers or the body are longer than allowed.
        case tooLarge
        /// More redirects than are followed.
        case tooManyRedirects
        /// A redirect from `https` to `http`.
        case downgrade
        /// A redirect to what is no `http` or `https` URL.
        case badLocation
        /// The body was sent, can't be sent again, and would have to be.
        case bodyIsSpent
        /// The file is not as long as it was, or was changed, while it was being sent.
        case fileChanged
        /// The file can't be read, or is none.
        case fileUnreadable
        /// A body that was made piece by piece is not as long as was said.
        case wrongBodyLength
        /// A response was used after its exchange had ended, or by two tasks at once.
        case misuse
        /// The server answered, but did not agree to the upgrade.
        case notUpgraded(HTTPResponse.Status)
    }

    /// What went wrong.
    public let kind: Kind
    /// One line for people; nothing in it came from the peer but numbers.
    public let reason: String
    /// What the system said, if it did.
    public let errno: Errno?

    init(_ kind: Kind, _ reason: String, errno: Errno? = nil) {
        self.kind = kind
        self.reason = reason
        self.errno = errno
    }

    /// Whether the same request may well succeed later: the network failed, not what was asked.
    public var isTransient: Bool {
        switch kind {
        case .unknownHost, .notConnected, .timedOut, .connectionLost: true
        case .proxyRefused(let status): status.code >= 500
        default: false
        }
    }
}

extension HTTPClientError: CustomStringConvertible {
    /// The reason, with what the system said.
    public var description: String { errno.map { "\(reason): \($0)" } ?? reason }
}

extension HTTPClientError {
    /// What an error of a lower layer means while `what` was done.
    static func wrap(_ error: any Error, while what: String) -> any Error {
        switch error {
        case is HTTPClientError, is CancellationError: return error
        case let error as HTTPParseError:
            let isSize = error.status.code == 431 || error.status.code == 414
            return HTTPClientError(
                isSize ? .tooLarge : .malformedAnswer, "the answer is malformed: \(error.reason)")
        case let error as NameLookupError:
            return HTTPClientError(.unknownHost, "no address is known of \(error.host)")
        case let error as Errno where error == .timedOut:
            return HTTPClientError(.timedOut, "\(what) took too long")
        case let error as Errno where error == .truncated:
            return HTTPClientError(.fileChanged, "the file became shorter while it was sent")
        case let error as Errno where error == .unreadable:
            return HTTPClientError(.fileUnreadable, "the file can't be read")
        case let error as Errno where error == .cancelled && Task.isCancelled:
            return CancellationError()
        case let error as Errno:
            return HTTPClientError(
                .connectionLost, "the connection broke while \(what)", errno: error)
        case let error as ClientExchangeError: return HTTPClientError(error)
        default: return error
        }
    }

    private init(_ error: ClientExchangeError) {
        switch error {
        case .tooManyRedirects: self.init(.tooManyRedirects, "too many redirects")
        case .downgrade(let url):
            self.init(.downgrade, "a redirect leads from https to \(url.origin)")
        case .badLocation: self.init(.badLocation, "a redirect leads to no http or https URL")
        case .bodyIsSpent:
            self.init(.bodyIsSpent, "the body would have to be sent again, and can't be")
        }
    }
}
