import WharfHTTP
import WharfNet

/// What handlers that only answer GET and HEAD have in common.
enum ReadOnly {
    static let allowed = "GET, HEAD, OPTIONS"

    /// The answer to OPTIONS; `nil` for GET and HEAD.
    ///
    /// Throws 405 and 501 for the others.
    static func answer(
        to method: HTTPRequest.Method, allowing allowed: String = allowed
    ) throws -> Response? {
        switch method {
        case .get, .head: return nil
        case .options: return Response(status: .noContent, fields: [.allow: allowed])
        case let method where !method.isKnown:
            throw HTTPError(.notImplemented, reason: "unknown method")
        default: throw HTTPError(.methodNotAllowed, fields: [.allow: allowed])
        }
    }

    /// The error to answer with.
    static func refusal(_ error: any Error) -> any Error {
        switch error {
        case let error as Errno: HTTPError(opening: error)
        default: error
        }
    }

    /// The fields of a file: what it says of ranges, of types and of keeping it.
    static func fields(cacheAge: Duration?) -> HTTPFields {
        var fields: HTTPFields = [.acceptRanges: "bytes", .xContentTypeOptions: "nosniff"]
        fields[.cacheControl] = cacheAge.map(Response.cacheControl)
        return fields
    }
}

/// A handler that can mostly answer in place, without a suspension.
package protocol InPlaceHandler: HTTPHandler {
    /// Answers, or `nil` if that would have to wait for something: then ``respond(to:)`` is asked.
    func respondAtOnce(to request: Request) throws -> Response?
}

/// A handler that stands before another one, and hands on most requests as they are.
package protocol FrontHandler: HTTPHandler {
    /// The one behind it.
    var inner: any HTTPHandler { get }

    /// Whether it hands a request on as it is; then the one behind may answer in place.
    func handsOn(_ request: Request) -> Bool
}

/// A handler for which some requests only read though their method may change something, such as a
/// POST that holds a list too long for a URL.
package protocol ReadingHandler: HTTPHandler {
    /// Whether a request changes nothing here; it has its mount's path already.
    func onlyReads(_ request: Request) -> Bool
}

extension HTTPHandler {
    /// What tells of requests that only read in spite of their method; `nil`: there are none.
    var onlyReads: (@Sendable (Request) -> Bool)? {
        if let handler = self as? any ReadingHandler { return { handler.onlyReads($0) } }
        return (self as? any FrontHandler)?.inner.onlyReads
    }

    /// What answers in place, if it can be done without waiting.
    var atOnce: (@Sendable (Request) throws -> Response?)? {
        if let handler = self as? any InPlaceHandler {
            return { request in try handler.respondAtOnce(to: request) }
        }
        guard let front = self as? any FrontHandler, let behind = front.inner.atOnce else {
            return nil
        }
        return { request in front.handsOn(request) ? try behind(request) : nil }
    }
}

/// A handler that looks something up among files, which may have to wait for a disk.
package protocol FileLookup: InPlaceHandler {
    associatedtype Found: Sendable

    /// Looks up what a request asks for.
    ///
    /// With `cachedOnly` it throws `EAGAIN` rather than wait; without it is for the pool.
    func find(_ request: Request, cachedOnly: Bool) throws -> Found

    /// The answer, if it can be given in place.
    func answer(with found: Found) -> Response?
}

extension FileLookup {
    package func respondAtOnce(to request: Request) throws -> Response? {
        do {
            return answer(with: try find(request, cachedOnly: true))
        } catch let error as Errno where error.isWouldBlock {
            return nil
        } catch {
            throw ReadOnly.refusal(error)
        }
    }

    /// Looks in place for what the kernel has in memory, and else on the pool.
    func find(_ request: Request) async throws -> Found {
        do {
            return try find(request, cachedOnly: true)
        } catch let error as Errno where error.isWouldBlock {
            return try await request.offload { try self.find(request, cachedOnly: false) }
        }
    }
}
