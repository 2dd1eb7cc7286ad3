import WharfHTTP
import WharfServer

/// COPY (RFC 4918 §9.8).
extension WebDAVExchange {
    func copy() async throws -> Response {
        let transfer = try await request.offload { try checkTransfer(isMove: false) }
        if let refusal = transfer.refusal { return refusal }
        let change = DriveChange.copied(path, to: transfer.path, isDeep: transfer.isDeep)
        let companion = handler.state.companion(of: change) {
            try checkLocks(of: transfer, isMove: false)
        }
        let (isNew, failures) = try await share.copy(
            path.bytes, to: transfer.path.bytes, replaces: transfer.mayReplace,
            isDeep: transfer.isDeep, for: request, companion)
        guard failures.isEmpty else { return multiStatus(failures, below: transfer.path) }
        return .status(isNew ? .created : .noContent)
    }
}
