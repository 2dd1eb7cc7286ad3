import WharfHTTP
package import WharfServer

/// What needs no task: OPTIONS, and GET and HEAD of what is in memory.
extension WebDAVHandler: InPlaceHandler {
    /// Answers, or `nil` if that has to wait for something.
    ///
    /// Throws what is to be answered.
    package func respondAtOnce(to request: Request) throws -> Response? {
        switch request.method {
        case .options: return finished(options(request))
        case .get, .head: return try readAtOnce(request)
        default: return nil
        }
    }

    private func readAtOnce(_ request: Request) throws -> Response? {
        do {
            return try reader(of: request.pathBelowMount).respondAtOnce(to: request).map(finished)
        } catch let error as HTTPError {
            // It may be there under an equivalent name.
            if error.status == .notFound, request.hasEscapes { return nil }
            throw failure(error)
        }
    }

    /// What answers GET and HEAD at a path as it was sent, which may be written in other ways.
    private func reader(of path: Substring) -> DirectoryHandler {
        var isStart = true
        for byte in path.utf8 {
            // An escape may stand for a dot.
            if isStart, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") {
                return hiding(path)
            }
            isStart = byte == UInt8(ascii: "/")
        }
        return pages
    }

    private func hiding(_ path: Substring) -> DirectoryHandler {
        guard let parsed = try? RequestPath(validating: path.isEmpty ? "/" : path) else {
            // It is refused by either.
            return pages
        }
        return reader(of: ResourcePath(parsed))
    }
}

extension Request {
    fileprivate var hasEscapes: Bool { path.utf8.contains(UInt8(ascii: "%")) }
}
