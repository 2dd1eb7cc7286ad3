import WharfHTTP

extension Response {
    /// Whether an answer may be sent in fewer bytes.
    public enum Compression: Sendable, Hashable {
        /// If it is a file.
        case automatic
        /// Whatever its body is.
        case allowed
        /// Not at all.
        case forbidden
    }

    /// The same answer, which may be compressed, or must not be.
    ///
    /// Files are compressed by themselves; for others it has to be said, here or by
    /// ``AllowCompression``, because the length of a compressed answer tells what is in it: if one
    /// holds a secret *and* a text of whoever caused the request, that one can guess the secret
    /// letter by letter (the attack is known as BREACH).
    ///
    /// It is done if the client takes gzip or deflate, the type is one that becomes shorter, and the
    /// body isn't shorter than ``CompressionPolicy/byteCountMin``. A stream is compressed write by
    /// write, so that each still arrives at once.
    public func compressed(_ isAllowed: Bool = true) -> Response {
        var response = self
        response.compression = isAllowed ? .allowed : .forbidden
        return response
    }
}

/// What of the answers of a server is compressed, and how.
public struct CompressionPolicy: Sendable {
    /// Whether files are, for clients that take it.
    public var compressesFiles = true
    /// Bytes that a body has at least to be worth it, if its length is known.
    public var byteCountMin: Int64 = 1024
    /// Bytes of the largest file that is compressed; larger ones are sent as they are, in parts if
    /// that is asked for.
    public var fileByteCountMax: Int64 = 8 * 1024 * 1024
    /// From 1 (fast) to 9 (small).
    public var level = 6

    /// Compresses files of 1 KiB to 8 MiB.
    public init() {}
}

/// Lets the answers of what comes after it be compressed, unless they say something else.
///
///     router.group("/help", AllowCompression()) { ... }
///
/// See ``Response/compressed(_:)`` for what that may give away.
public struct AllowCompression: HTTPMiddleware {
    /// Allows it.
    public init() {}

    /// Goes on, and marks the answer.
    public func respond(to request: Request, next: Next) async throws -> Response {
        marked(try await next(request))
    }

    private func marked(_ response: consuming Response) -> Response {
        if response.compression == .automatic { response.compression = .allowed }
        return response
    }
}

extension AllowCompression: InPlaceMiddleware {
    func respondAtOnce(
        to request: Request, next: (Request) throws -> Response?
    ) throws -> Response? {
        try next(request).map(marked)
    }
}
