public import WharfHTTP

/// A failure that becomes an answer: throw it from a handler.
public struct HTTPError: Error, Sendable {
    /// The status of the answer.
    public var status: HTTPResponse.Status
    /// Why, for the log.
    ///
    /// It is never sent.
    public var reason: String
    /// Fields of the answer beside the ones that every error has.
    public var fields: HTTPFields

    /// Makes an error; `reason` is logged and never sent.
    public init(_ status: HTTPResponse.Status, reason: String = "", fields: HTTPFields = [:]) {
        self.status = status
        self.reason = reason
        self.fields = fields
    }
}

/// A body is longer than the reader allowed; unless it is caught, the answer is 413.
public struct HTTPBodyTooLarge: Error, Sendable {
    /// The bound that was passed, in bytes.
    public let byteCountMax: Int64

    /// Makes the error for a bound in bytes.
    public init(byteCountMax: Int64) {
        self.byteCountMax = byteCountMax
    }
}

/// A body, a writer or a stream was used after its exchange had ended, or by two tasks at once.
public struct HTTPExchangeError: Error, Sendable, Hashable {
    /// What was wrong.
    public enum Kind: Sendable, Hashable {
        /// The response has ended, and everything of the exchange with it.
        case ended
        /// Another task is waiting on the same body or stream.
        case alreadyInUse
        /// The other end has gone, or the server is being stopped.
        case disconnected
        /// The server is being stopped: end soon.
        case stopping
        /// More or fewer bytes were written than the response had announced.
        case wrongLength
        /// A field was to follow the body that has to come before it.
        case forbiddenTrailer
    }

    /// What was wrong.
    public let kind: Kind

    /// Makes the error.
    public init(_ kind: Kind) {
        self.kind = kind
    }
}
