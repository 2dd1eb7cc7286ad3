import WharfHTTP
import WharfNet
import WharfServer

/// DELETE (RFC 4918 §9.6).
extension WebDAVExchange {
    func delete() async throws -> Response {
        let blocked = try await request.offload { () throws -> Response? in
            let opened = try target()
            try checkConditions(of: opened.status)
            guard !path.isRoot else { throw WebDAVError(.forbidden, reason: "the root stays") }
            // RFC 4918 §9.6.1: a folder goes with all that is in it.
            guard try depth() == .infinity || opened.status.kind == .file else {
                throw WebDAVError(.badRequest, reason: "DELETE of a folder with a Depth")
            }
            try checkLocks([path] + parentPaths)
            let blocking = try lockedBelow(path)
            return blocking.isEmpty ? nil : lockedMembers(blocking)
        }
        if let blocked { return blocked }
        let companion = handler.state.companion(of: .removed(path)) {
            try checkLocks([path] + parentPaths)
            let blocking = try lockedBelow(path)
            guard blocking.isEmpty else { throw lockedError(blocking) }
        }
        let failures = try await share.remove(path.bytes, for: request, companion)
        guard failures.isEmpty else { return multiStatus(failures, below: path) }
        return .status(.noContent)
    }
}
