/// The four forms of a request target (RFC 9112 §3.2).
package enum RequestTarget: Sendable, Hashable {
    /// `/path?query`.
    case origin
    /// `http://host/path?query`.
    case absolute
    /// `host:port`, of CONNECT.
    case authority
    /// `*`, of OPTIONS.
    case asterisk
}

/// A request target taken apart; ranges into the input.
struct RequestTargetParts {
    var form: RequestTarget
    var isSecure = false
    var authority = 0..<0
    var path = 0..<0

    /// Takes a target apart.
    ///
    /// `range` is not empty and holds printable ASCII only.
    init(
        _ input: borrowing Span<UInt8>, _ range: Range<Int>, isOptions: Bool, isConnect: Bool
    ) throws(HTTPParseError) {
        let first = input[range.lowerBound]
        if isConnect {
            // RFC 9110 §9.3.6: host and port, and the port is not optional.
            guard Authority.isValid(input, range, needsPort: true) else {
                throw .bad("CONNECT target is not host and port")
            }
            form = .authority
            authority = range
        } else if first == ASCII.slash {
            form = .origin
            path = range
        } else if first == ASCII.asterisk, range.count == 1 {
            // RFC 9112 §3.2.4.
            guard isOptions else { throw .bad("target * without OPTIONS") }
            form = .asterisk
            path = range
        } else {
            form = .absolute
            try splitAbsolute(input, range)
        }
    }

    private mutating func splitAbsolute(
        _ input: borrowing Span<UInt8>, _ range: Range<Int>
    ) throws(HTTPParseError) {
        let schemeMax = min(range.upperBound, range.lowerBound + 8)
        var start = range.lowerBound + 7
        isSecure = input.matches(range.lowerBound..<schemeMax, "https://")
        if isSecure {
            start = schemeMax
        } else {
            guard range.count > 7, input.matches(range.lowerBound..<start, "http://") else {
                throw .bad("request target has none of the four forms")
            }
        }
        var end = start
        while end < range.upperBound, input[end] != ASCII.slash, input[end] != ASCII.question {
            end += 1
        }
        // RFC 9110 §4.2.4: user information is refused, as `@` is no part of a host.
        guard Authority.isValid(input, start..<end), Authority.hasHost(input, start..<end) else {
            throw .bad("absolute target has an invalid authority")
        }
        authority = start..<end
        path = end..<range.upperBound
    }
}
