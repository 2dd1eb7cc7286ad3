import WharfHTTP
import WharfServer

/// COPY (RFC 4918 §9.8).
extension WebDAVExchange {
    func copy() async throws -> Response {
        let transfer = try await request.offload { try checkTransfer(isMove: false) }
        if let refusal = transfer.refusal { return refusal }
        let (isNew, failures) = try await share.copy(
            path.bytes, to: transfer.path.bytes, replaces: transfer.isReplacing,
            isDeep: transfer.isDeep, for: request)
        try await request.offload {
            if transfer.isReplacing { try locks.remove(within: transfer.path) }
            try properties.copy(path, to: transfer.path, isDeep: transfer.isDeep)
        }
        guard failures.isEmpty else { return multiStatus(failures, below: transfer.path) }
        return .status(isNew ? .created : .noContent)
    }
}
