package import WharfHTTP
package import WharfNet

/// What uploads in several requests need of a request.
extension Request {
    /// The same client's request with another head, and with a body that does not come from the
    /// connection.
    package func replacing(_ head: HTTPRequest, body: HTTPBody) -> Request {
        var request = Request(received, body: body, exchange: exchange)
        request.copyContext(of: self)
        request.head = head
        request.parameters = parameters
        request.mountPath = mountPath
        return request
    }

    /// Where what blocks is run.
    package var pool: BlockingPool { exchange.server.pool }

    /// Writes a line into the server's log.
    package func log(_ level: HTTPLog.Level, _ text: @autoclosure () -> String) {
        let line = text()
        exchange.server.log(level, "\(place): \(line)")
    }
}

extension HTTPBody {
    /// The fields that followed it; none before it has been read to its end.
    ///
    /// To be asked for on the connection's loop.
    package var trailers: HTTPFields { connectionBody?.trailers ?? [:] }

    /// Ends the connection that the body comes by; nothing when its exchange is over.
    package func interrupt() async {
        if let body = connectionBody { await body.interrupt() }
    }
}
