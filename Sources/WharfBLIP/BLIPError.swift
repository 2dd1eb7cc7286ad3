public import WharfBLIPEngine

/// An error as it goes over the wire: a handler throws it, and the other end finds it in the reply.
public struct BLIPError: Error, Sendable, Hashable {
    /// Whose codes they are: `BLIP`, `HTTP`, or a program's own.
    public var domain: String
    /// The code.
    public var code: Int32
    /// In words; it is sent.
    public var message: String
    /// Properties that say more of it.
    public var properties = BLIPProperties()

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
    /// The request's body is not what the handler can read.
    public static let badRequest = Self(domain: "BLIP", code: 400, message: "bad request")
    /// The other end is not to close now.
    public static let closeDenied = Self(
        domain: "BLIP", code: 403, message: "Close request denied")

    /// What a handler's error becomes: its own if it is one of these, without a reason otherwise.
    static func told(_ error: any Error) -> Self {
        switch error {
        case let error as Self: error
        case is DecodingError: .badRequest
        default: .handlerFailed
        }
    }
}

/// Why no reply comes, or nothing can be sent.
public struct BLIPConnectionError: Error, Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The connection has ended, or ended before the message was there whole.
        case disconnected
        /// The connection is being closed, and takes nothing new.
        case closing
        /// What came was malformed, too long, or given up by its sender.
        case badReply(BLIPMessageFailure)
        /// The properties can't be said in this version: too long for BLIP 1.1, or with a text of one
        /// control character before BLIP 3; or the numbers of BLIP 1.1 are used up.
        case notSendable
        /// The body is longer than what was asked for.
        case tooLong
        /// Two tasks read one body, or its handler has returned.
        case notReadable
        /// The two ends have not agreed on a version.
        case noCommonVersion
    }

    /// What happened.
    public let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }
}
