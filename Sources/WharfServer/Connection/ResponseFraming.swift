import WharfHTTP

/// How the client finds the end of a response's body.
enum ResponseFraming: Equatable {
    /// The status has no body: neither length nor bytes (RFC 9110 §6.4.1).
    case none
    case length(Int64)
    case chunked
    /// By the end of the connection: a stream to a client of HTTP/1.0.
    case untilClose

    /// For a body of so many bytes; `nil` when nobody knows.
    init(_ status: HTTPResponse.Status, length: Int64?, version: HTTPVersion) {
        let code = status.code
        if code == 204 || code == 304 || code < 200 {
            self = .none
        } else if let length {
            self = .length(length)
        } else {
            self = version == .http11 ? .chunked : .untilClose
        }
    }
}
