import WharfHTTP
import WharfNet

/// What handlers that only answer GET and HEAD have in common.
enum ReadOnly {
    private static let allowed = "GET, HEAD, OPTIONS"

    /// The answer to OPTIONS; `nil` for GET and HEAD. Throws 405 and 501 for the others.
    static func answer(to method: HTTPRequest.Method) throws -> Response? {
        switch method {
        case .get, .head: return nil
        case .options: return Response(status: .noContent, fields: [.allow: allowed])
        case let method where !method.isKnown: throw HTTPError(.notImplemented)
        default: throw HTTPError(.methodNotAllowed, fields: [.allow: allowed])
        }
    }

    /// Runs a handler; what it answers or throws is never taken for another type than it says.
    static func respond(_ answer: () async throws -> Response) async throws -> Response {
        do {
            return try await answer()
        } catch {
            guard
                var answer = error as? HTTPError ?? (error as? Errno).map(HTTPError.init(opening:))
            else { throw error }
            answer.fields[.xContentTypeOptions] = "nosniff"
            throw answer
        }
    }

    /// The fields of a file: what it says of ranges, of types and of keeping it.
    static func fields(cacheAge: Duration?) -> HTTPFields {
        var fields: HTTPFields = [.acceptRanges: "bytes", .xContentTypeOptions: "nosniff"]
        fields[.cacheControl] = cacheAge.map(Response.cacheControl)
        return fields
    }
}

extension RootedDirectory {
    /// Opens in place what the kernel has in memory, and the rest on the pool.
    func open(_ path: [UInt8], for request: Request) async throws -> OpenedFile {
        switch open(path, cachedOnly: true) {
        case .success(let opened): return opened
        case .failure(let error) where error.isWouldBlock: break
        case .failure(let error): throw error
        }
        return try await request.offload { try self.open(path, cachedOnly: false).get() }
    }
}
