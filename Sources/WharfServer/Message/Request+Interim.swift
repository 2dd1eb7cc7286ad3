public import WharfHTTP

extension Request {
    /// Sends an interim response before the answer: 102 to 199, such as 103 (Early Hints).
    ///
    /// Nothing is sent to a client that speaks HTTP/1.0, which would take it for the answer (RFC 9110
    /// §15.2), nor for a request without a body. It stands in for no 100 (Continue): a client that
    /// waits for one gets it when the body is first read. Throws when the client is gone. Traps for
    /// another status.
    public func sendInterim(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) async throws
    {
        precondition((102...199).contains(status.code), "no interim response")
        guard received.version != .http10, let body = body.connectionBody else { return }
        try await body.sendInterim(status, fields)
    }
}
