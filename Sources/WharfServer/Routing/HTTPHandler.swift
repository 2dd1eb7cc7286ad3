public import WharfHTTP

/// Something that answers requests: a folder, a drive, an application.
///
/// It is mounted at a prefix and called on the event loop: it must not block. An error it throws
/// becomes the answer: ``HTTPError`` its status, ``HTTPBodyTooLarge`` 413, any other 500.
///
/// It answers for itself: it is asked for every method, OPTIONS and unknown ones too, so 405 and
/// 501 are its own.
public protocol HTTPHandler: Sendable {
    /// The methods that it answers somewhere, for the answer to `OPTIONS *`.
    ///
    /// GET and HEAD unless it says otherwise.
    var allowedMethods: [HTTPRequest.Method] { get }

    /// Bytes of a request's body, where it is mounted without saying; `nil`: the server's default.
    var bodyMax: Int64? { get }

    /// Answers one request. `request.mountPath` is the prefix that the handler is mounted at.
    func respond(to request: Request) async throws -> Response
}

extension HTTPHandler {
    /// GET and HEAD.
    public var allowedMethods: [HTTPRequest.Method] { [.get, .head] }

    /// The server's default.
    public var bodyMax: Int64? { nil }
}

/// Something that stands before handlers: it can answer itself, or change what goes in and out.
///
/// It runs where the route's handler runs. Nothing of the body has been read or asked for yet.
public protocol HTTPMiddleware: Sendable {
    /// Answers, mostly by `try await next(request)`.
    func respond(to request: Request, next: Next) async throws -> Response
}

/// What comes after a middleware: the next one, or the handler.
public struct Next: Sendable {
    let respond: @Sendable (Request) async throws -> Response

    /// Goes on.
    ///
    /// Throws what comes after throws.
    public func callAsFunction(_ request: Request) async throws -> Response {
        try await respond(request)
    }
}

/// Where a handler's closure runs.
public enum Execution: Sendable, Hashable {
    /// On a thread of the server's own pool: it may block. The default.
    ///
    /// When all threads are busy and the queue is full, the answer is 503 with Retry-After.
    case pool
    /// On the connection's event loop: faster, and a promise not to block.
    case loop
}

/// A handler that answers at once, in place, without a suspension: the fastest kind.
public struct InlineHandler: Sendable {
    let respond: @Sendable (Request) throws -> Response

    /// Answers with a synchronous closure.
    ///
    /// It must not block, nor read the body.
    public static func inline(
        _ respond: @escaping @Sendable (Request) throws -> Response
    ) -> InlineHandler {
        InlineHandler(respond: respond)
    }
}
