import WharfHTTP
import WharfServer

/// MOVE (RFC 4918 §9.9).
extension WebDAVExchange {
    func move() async throws -> Response {
        let transfer = try await request.offload { try checkTransfer(isMove: true) }
        if let refusal = transfer.refusal { return refusal }
        let companion = handler.state.companion(of: .moved(path, to: transfer.path)) {
            try checkLocks(of: transfer, isMove: true)
        }
        let isNew = try await share.move(
            path.bytes, to: transfer.path.bytes, replaces: transfer.mayReplace, for: request,
            companion)
        return .status(isNew ? .created : .noContent)
    }
}
