import WharfHTTP
import WharfServer

/// MOVE (RFC 4918 §9.9).
extension WebDAVExchange {
    func move() async throws -> Response {
        let transfer = try await request.offload { try checkTransfer(isMove: true) }
        if let refusal = transfer.refusal { return refusal }
        let isNew = try await share.move(
            path.bytes, to: transfer.path.bytes, replaces: transfer.isReplacing, for: request)
        try await request.offload {
            // RFC 4918 §7.6: locks don't travel, and those of what was replaced have ended.
            try locks.remove(within: path)
            try locks.remove(within: transfer.path)
            try properties.move(path, to: transfer.path)
        }
        return .status(isNew ? .created : .noContent)
    }
}
