import WharfHTTP
import WharfNet

/// What a connection tells those who watch, beside what is over.
extension HTTPServerConnection {
    /// The name of the present request.
    var presentID: HTTPServer.RequestID {
        HTTPServer.RequestID(connectionID: id, number: requestCount)
    }

    @inline(never)
    func tellBegun(_ request: Request) {
        server.events.send(
            .requestBegan(
                HTTPServer.RequestStart(
                    id: presentID, head: request.head, peer: request.peer,
                    clientAddress: request.clientAddress)))
    }

    /// Tells how far the present exchange has got, if it has got further.
    func tellProgress() {
        guard let present else { return }
        let progress = HTTPServer.TransferProgress(
            id: presentID, receivedByteCount: body?.byteCount ?? 0,
            receivedTotal: body == nil ? 0 : body?.length,
            sentByteCount: bodyExtent.byteCount(sentCount: stream.sentCount),
            sentTotal: present.response?.body.length)
        guard progress != present.toldProgress else { return }
        present.toldProgress = progress
        server.events.send(.progress(progress))
    }

    /// Counts what was moved since it was counted last.
    @inline(__always)
    func noteTraffic() {
        let (received, sent) = (stream.receivedCount, stream.sentCount)
        // Unchecked: the loop alone uses it, and nothing is called meanwhile.
        let counted = unsafe countedTraffic
        state.tally.noteTraffic(received: received - counted.received, sent: sent - counted.sent)
        unsafe countedTraffic = (received, sent)
    }

    /// The connection is over.
    func tellClosed() {
        noteTraffic()
        guard server.events.hasListeners else { return }
        server.events.send(
            .connectionClosed(
                HTTPServer.ConnectionSummary(
                    peer: identity.peer, requestCount: requestCount,
                    receivedByteCount: stream.receivedCount, sentByteCount: stream.sentCount)))
    }
}
