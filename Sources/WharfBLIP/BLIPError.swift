public import WharfBLIPEngine

/// An error as it goes over the wire: a handler throws it, and the other end finds it in the reply.
public struct BLIPError: Error, Sendable, Hashable {
    /// Whose codes they are: `BLIP`, `HTTP`, or a program's own.
    public var domain: String
    /// The code.
    public var code: Int32
    /// In words; it is sent.
    public var message: String

    /// Makes an error of a domain of its own.
    public init(domain: String, code: Int32, message: String = "") {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Nobody answers requests of that profile.
    ///
    /// Couchbase's programs look at this very text.
    public static let notFound = Self(
        domain: "BLIP", code: 404, message: "No handler for BLIP request")
    /// The handler failed; why is not told.
    public static let handlerFailed = Self(domain: "BLIP", code: 501, message: "handler failed")
}

/// Why no reply comes.
public struct BLIPConnectionError: Error, Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The connection has ended, or ended before the reply was there whole.
        case disconnected
        /// The reply was malformed or too long.
        case badReply(BLIPMessageFailure)
    }

    /// What happened.
    public let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }
}
