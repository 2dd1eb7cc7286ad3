// The status codes registered with IANA (RFC 9110 §15 and its extensions).

extension HTTPResponse.Status {
    /// 100 Continue.
    public static var `continue`: Self { Self(registered: 100) }
    /// 101 Switching Protocols.
    public static var switchingProtocols: Self { Self(registered: 101) }
    /// 102 Processing.
    public static var processing: Self { Self(registered: 102) }
    /// 103 Early Hints.
    public static var earlyHints: Self { Self(registered: 103) }
    /// 200 OK.
    public static var ok: Self { Self(registered: 200) }
    /// 201 Created.
    public static var created: Self { Self(registered: 201) }
    /// 202 Accepted.
    public static var accepted: Self { Self(registered: 202) }
    /// 203 Non-Authoritative Information.
    public static var nonAuthoritativeInformation: Self { Self(registered: 203) }
    /// 204 No Content.
    public static var noContent: Self { Self(registered: 204) }
    /// 205 Reset Content.
    public static var resetContent: Self { Self(registered: 205) }
    /// 206 Partial Content.
    public static var partialContent: Self { Self(registered: 206) }
    /// 207 Multi-Status.
    public static var multiStatus: Self { Self(registered: 207) }
    /// 208 Already Reported.
    public static var alreadyReported: Self { Self(registered: 208) }
    /// 226 IM Used.
    public static var imUsed: Self { Self(registered: 226) }
    /// 300 Multiple Choices.
    public static var multipleChoices: Self { Self(registered: 300) }
    /// 301 Moved Permanently.
    public static var movedPermanently: Self { Self(registered: 301) }
    /// 302 Found.
    public static var found: Self { Self(registered: 302) }
    /// 303 See Other.
    public static var seeOther: Self { Self(registered: 303) }
    /// 304 Not Modified.
    public static var notModified: Self { Self(registered: 304) }
    /// 305 Use Proxy.
    public static var useProxy: Self { Self(registered: 305) }
    /// 307 Temporary Redirect.
    public static var temporaryRedirect: Self { Self(registered: 307) }
    /// 308 Permanent Redirect.
    public static var permanentRedirect: Self { Self(registered: 308) }
    /// 400 Bad Request.
    public static var badRequest: Self { Self(registered: 400) }
    /// 401 Unauthorized.
    public static var unauthorized: Self { Self(registered: 401) }
    /// 402 Payment Required.
    public static var paymentRequired: Self { Self(registered: 402) }
    /// 403 Forbidden.
    public static var forbidden: Self { Self(registered: 403) }
    /// 404 Not Found.
    public static var notFound: Self { Self(registered: 404) }
    /// 405 Method Not Allowed.
    public static var methodNotAllowed: Self { Self(registered: 405) }
    /// 406 Not Acceptable.
    public static var notAcceptable: Self { Self(registered: 406) }
    /// 407 Proxy Authentication Required.
    public static var proxyAuthenticationRequired: Self { Self(registered: 407) }
    /// 408 Request Timeout.
    public static var requestTimeout: Self { Self(registered: 408) }
    /// 409 Conflict.
    public static var conflict: Self { Self(registered: 409) }
    /// 410 Gone.
    public static var gone: Self { Self(registered: 410) }
    /// 411 Length Required.
    public static var lengthRequired: Self { Self(registered: 411) }
    /// 412 Precondition Failed.
    public static var preconditionFailed: Self { Self(registered: 412) }
    /// 413 Content Too Large.
    public static var contentTooLarge: Self { Self(registered: 413) }
    /// 414 URI Too Long.
    public static var uriTooLong: Self { Self(registered: 414) }
    /// 415 Unsupported Media Type.
    public static var unsupportedMediaType: Self { Self(registered: 415) }
    /// 416 Range Not Satisfiable.
    public static var rangeNotSatisfiable: Self { Self(registered: 416) }
    /// 417 Expectation Failed.
    public static var expectationFailed: Self { Self(registered: 417) }
    /// 421 Misdirected Request.
    public static var misdirectedRequest: Self { Self(registered: 421) }
    /// 422 Unprocessable Content.
    public static var unprocessableContent: Self { Self(registered: 422) }
    /// 423 Locked.
    public static var locked: Self { Self(registered: 423) }
    /// 424 Failed Dependency.
    public static var failedDependency: Self { Self(registered: 424) }
    /// 425 Too Early.
    public static var tooEarly: Self { Self(registered: 425) }
    /// 426 Upgrade Required.
    public static var upgradeRequired: Self { Self(registered: 426) }
    /// 428 Precondition Required.
    public static var preconditionRequired: Self { Self(registered: 428) }
    /// 429 Too Many Requests.
    public static var tooManyRequests: Self { Self(registered: 429) }
    /// 431 Request Header Fields Too Large.
    public static var requestHeaderFieldsTooLarge: Self { Self(registered: 431) }
    /// 451 Unavailable For Legal Reasons.
    public static var unavailableForLegalReasons: Self { Self(registered: 451) }
    /// 500 Internal Server Error.
    public static var internalServerError: Self { Self(registered: 500) }
    /// 501 Not Implemented.
    public static var notImplemented: Self { Self(registered: 501) }
    /// 502 Bad Gateway.
    public static var badGateway: Self { Self(registered: 502) }
    /// 503 Service Unavailable.
    public static var serviceUnavailable: Self { Self(registered: 503) }
    /// 504 Gateway Timeout.
    public static var gatewayTimeout: Self { Self(registered: 504) }
    /// 505 HTTP Version Not Supported.
    public static var httpVersionNotSupported: Self { Self(registered: 505) }
    /// 506 Variant Also Negotiates.
    public static var variantAlsoNegotiates: Self { Self(registered: 506) }
    /// 507 Insufficient Storage.
    public static var insufficientStorage: Self { Self(registered: 507) }
    /// 508 Loop Detected.
    public static var loopDetected: Self { Self(registered: 508) }
    /// 510 Not Extended.
    public static var notExtended: Self { Self(registered: 510) }
    /// 511 Network Authentication Required.
    public static var networkAuthenticationRequired: Self { Self(registered: 511) }
}
