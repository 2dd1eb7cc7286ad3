/// The head of a request as it was read, with what it says about the body and the connection.
package struct HTTPRequestHead: Sendable, Hashable {
    /// Bytes of the head, from the first that was given (empty lines included) to its last CRLF.
    package let byteCount: Int
    /// Method, target and fields.
    package var request: HTTPRequest
    /// The form that the target had.
    package let target: RequestTarget
    /// The version; later 1.x counts as 1.1.
    package let version: HTTPVersion
    /// How the body ends; never `.untilClose`.
    package let framing: BodyFraming
    /// Whether the peer wants to go on after this exchange (RFC 9112 §9.3).
    package let isKeepAlive: Bool
    /// Whether the peer waits for 100 (Continue): it asked for it, speaks 1.1 and has a body.
    package let expectsContinue: Bool
    /// Whether Connection lists `upgrade` and there is an Upgrade field, in 1.1.
    package let hasUpgrade: Bool
}

extension HTTPRequestHead {
    /// Judges what the lines say together, and makes a head of them.
    static func read(
        _ input: borrowing Span<UInt8>, line: borrowing RequestLineParser,
        byteCount: Int, entries: consuming [HTTPFields.Entry]
    ) throws(HTTPParseError) -> HTTPRequestHead {
        let method: HTTPRequest.Method
        if let known = line.knownMethod {
            method = HTTPRequest.Method(known)
        } else {
            method = HTTPRequest.Method(input, line.methodRange)
        }
        let parts = try RequestTargetParts(
            input, line.targetRange, isOptions: method == .options, isConnect: method == .connect)
        let fields = try FramingFields(input, entries)
        let version = line.version
        if version != .http10 {
            // RFC 9112 §3.2: 1.1 needs a Host, whatever the form of the target.
            guard let host = fields.host else { throw .bad("no Host") }
            guard parts.form == .absolute || Authority.hasHost(input, host) else {
                throw .bad("Host names no host")
            }
        }
        let framing = try framing(fields, version)
        // RFC 9110 §10.1.1: a 1.0 client's expectation is ignored.
        guard version == .http10 || !fields.hasUnknownExpectation else {
            throw HTTPParseError(.expectationFailed, "unknown expectation")
        }
        let hasBody = framing != .none && framing != .length(0)
        let (scheme, authority, path) = strings(input, parts, method)
        let headerFields = HTTPFields(
            arena: [UInt8](copying: input, 0..<byteCount), entries: entries)
        return HTTPRequestHead(
            byteCount: byteCount,
            request: HTTPRequest(
                method: method, scheme: scheme, path: path,
                headerFields: consume headerFields, statedAuthority: authority),
            target: parts.form, version: version, framing: framing,
            isKeepAlive: !fields.hasClose && (version == .http11 || fields.hasKeepAlive),
            expectsContinue: fields.hasContinue && version == .http11 && hasBody,
            hasUpgrade: fields.hasUpgrade && version == .http11)
    }

    private static func framing(
        _ fields: borrowing FramingFields, _ version: HTTPVersion
    ) throws(HTTPParseError) -> BodyFraming {
        guard fields.hasTransferEncoding else {
            return fields.contentLength.map { .length($0) } ?? .none
        }
        // RFC 9112 §6.3: a request with both lengths may be smuggling. Refuse it and close.
        guard fields.contentLength == nil else {
            throw .bad("both Transfer-Encoding and Content-Length")
        }
        // RFC 9112 §6.1: 1.0 has no transfer codings; the framing is faulty.
        guard version == .http11 else { throw .bad("Transfer-Encoding in HTTP/1.0") }
        return .chunked
    }

    private static func strings(
        _ input: borrowing Span<UInt8>, _ parts: RequestTargetParts,
        _ method: HTTPRequest.Method
    ) -> (scheme: String?, authority: String?, path: String?) {
        switch parts.form {
        case .origin, .asterisk:
            return (nil, nil, String(ascii: input, parts.path))
        case .authority:
            return (nil, String(ascii: input, parts.authority), nil)
        case .absolute:
            // RFC 9112 §3.2.2: an absolute target wins over Host.
            let authority = String(ascii: input, parts.authority)
            var path = String(ascii: input, parts.path)
            // RFC 9112 §3.2.1, §3.2.4: an empty path is `/`, but `*` for OPTIONS.
            if path.isEmpty, method == .options {
                path = "*"
            } else if !path.hasPrefix("/") {
                path = "/" + path
            }
            return (parts.isSecure ? "https" : "http", authority, path)
        }
    }
}

extension HTTPRequest.Method {
    /// The method in `range`, which holds a token.
    init(_ input: borrowing Span<UInt8>, _ range: Range<Int>) {
        if let known = Known(input, range) {
            self.init(known)
        } else {
            self.init(token: String(ascii: input, range))
        }
    }
}

extension HTTPRequest.Method.Known {
    init?(_ input: borrowing Span<UInt8>, _ range: Range<Int>) {
        guard range.count <= 8 else {
            guard range.count == 9 else { return nil }
            for (index, byte) in zip(range, "PROPPATCH".utf8) where input[index] != byte {
                return nil
            }
            self = .proppatch
            return
        }
        var word: UInt64 = 0
        for index in range { word = word &<< 8 | UInt64(input[index]) }
        switch word {
        case 0x47_4554: self = .get
        case 0x4845_4144: self = .head
        case 0x504F_5354: self = .post
        case 0x50_5554: self = .put
        case 0x4445_4C45_5445: self = .delete
        case 0x4F_5054_494F_4E53: self = .options
        case 0x50_4154_4348: self = .patch
        case 0x43_4F4E_4E45_4354: self = .connect
        case 0x54_5241_4345: self = .trace
        case 0x5052_4F50_4649_4E44: self = .propfind
        case 0x4D_4B43_4F4C: self = .mkcol
        case 0x434F_5059: self = .copy
        case 0x4D4F_5645: self = .move
        case 0x4C4F_434B: self = .lock
        case 0x554E_4C4F_434B: self = .unlock
        case 0x5245_504F_5254: self = .report
        case 0x5345_4152_4348: self = .search
        default: return nil
        }
    }
}
