import WharfHTTP
import WharfNet

/// Where the body of an answer lies among all the bytes that a connection sends.
struct BodyExtent {
    /// Nowhere: there was no answer.
    static let none = BodyExtent(start: .max)

    var start: Int64
    /// Where it ends; unknown while it is being sent.
    var end = Int64.max
    /// Bytes in it that only frame chunks.
    ///
    /// They are counted when they are made ready, so that a body which is cut in a chunk may count
    /// a few bytes too few, and never too many.
    var framingByteCount: Int64 = 0

    /// Bytes of the body among the first `sentCount` of the connection.
    func byteCount(sentCount: Int64) -> Int64 {
        max(0, min(sentCount, end) - start - framingByteCount)
    }
}

/// An exchange that is over, except that the kernel may not have taken all of its answer yet.
struct EndedExchange {
    let id: HTTPServer.RequestID
    let request: Request
    let receivedByteCount: Int64
    let userName: String?
    /// `nil` when the client was gone before there was an answer.
    let status: HTTPResponse.Status?
    let extent: BodyExtent
    /// All of the answer was made ready to be sent.
    let isWhole: Bool
    let started: UInt64
}

extension HTTPServerConnection {
    /// Remembers that an exchange is over, for those who watch: mostly nobody does.
    @inline(__always)
    func noteEnded(
        _ request: Request, _ status: HTTPResponse.Status?, isWhole: Bool, since started: UInt64
    ) {
        guard recorder != nil || server.isWatched else { return }
        remember(request, status, isWhole: isWhole, since: started)
    }

    private func remember(
        _ request: Request, _ status: HTTPResponse.Status?, isWhole: Bool, since started: UInt64
    ) {
        recorder?.note(request.method, status)
        guard server.isWatched else { return }
        var extent = status == nil ? .none : bodyExtent
        if isWhole { extent.end = isUpgraded ? extent.start : stream.position }
        unsafe ended.append(
            EndedExchange(
                id: presentID, request: request, receivedByteCount: body?.byteCount ?? 0,
                userName: identity.userName, status: status, extent: extent, isWhole: isWhole,
                started: started))
    }

    /// Tells those who watch of what is over: when all that waited is sent, or will never be.
    func tellEnded() {
        guard unsafe !ended.isEmpty else { return }
        let over = unsafe ended
        unsafe ended = []
        let sentCount = stream.sentCount
        let now = state.loop.system.now()
        let milliseconds = state.loop.system.unixMilliseconds()
        for exchange in over {
            server.tell(
                HTTPServer.RequestSummary(
                    id: exchange.id, head: exchange.request.head,
                    version: exchange.request.received.version == .http10 ? "HTTP/1.0" : "HTTP/1.1",
                    status: exchange.status, receivedByteCount: exchange.receivedByteCount,
                    byteCount: exchange.extent.byteCount(sentCount: sentCount),
                    isComplete: exchange.isWhole && sentCount >= exchange.extent.end,
                    duration: .nanoseconds(Int64(clamping: now &- exchange.started)),
                    endMilliseconds: milliseconds, peer: exchange.request.peer,
                    clientAddress: exchange.request.clientAddress, userName: exchange.userName),
                &state.logLine)
        }
    }
}
