import WharfHTTP
import WharfNet
import WharfServer

/// UNLOCK (RFC 4918 §9.11).
extension WebDAVExchange {
    func unlock() async throws -> Response {
        guard let token = request.fields[.lockToken].flatMap(CodedURL.parse) else {
            throw WebDAVError(.badRequest, reason: "UNLOCK without a Lock-Token")
        }
        return try await request.offload {
            try checkConditions(of: look(at: path)?.status)
            // Any resource inside of the lock's scope will do, and the whole lock ends.
            guard let lock = locks.read({ $0.lock(token, at: now) }), lock.covers(path) else {
                throw WebDAVError(.conflict, .lockTokenMatchesRequestURI)
            }
            guard lock.user == request.user?.name else {
                throw WebDAVError(.forbidden, reason: "another's lock")
            }
            try locks.remove(token)
            return .status(.noContent)
        }
    }
}
