// The registered field names that this package or its users meet.

extension HTTPField.Name {
    /// `Accept`.
    public static let accept = Self(unchecked: "Accept")
    /// `Accept-Charset`.
    public static let acceptCharset = Self(unchecked: "Accept-Charset")
    /// `Accept-Encoding`.
    public static let acceptEncoding = Self(unchecked: "Accept-Encoding")
    /// `Accept-Language`.
    public static let acceptLanguage = Self(unchecked: "Accept-Language")
    /// `Accept-Ranges`.
    public static let acceptRanges = Self(unchecked: "Accept-Ranges")
    /// `Access-Control-Allow-Credentials`.
    public static let accessControlAllowCredentials = Self(
        unchecked: "Access-Control-Allow-Credentials")
    /// `Access-Control-Allow-Headers`.
    public static let accessControlAllowHeaders = Self(unchecked: "Access-Control-Allow-Headers")
    /// `Access-Control-Allow-Methods`.
    public static let accessControlAllowMethods = Self(unchecked: "Access-Control-Allow-Methods")
    /// `Access-Control-Allow-Origin`.
    public static let accessControlAllowOrigin = Self(unchecked: "Access-Control-Allow-Origin")
    /// `Access-Control-Allow-Private-Network`.
    public static let accessControlAllowPrivateNetwork = Self(
        unchecked: "Access-Control-Allow-Private-Network")
    /// `Access-Control-Expose-Headers`.
    public static let accessControlExposeHeaders = Self(unchecked: "Access-Control-Expose-Headers")
    /// `Access-Control-Max-Age`.
    public static let accessControlMaxAge = Self(unchecked: "Access-Control-Max-Age")
    /// `Access-Control-Request-Headers`.
    public static let accessControlRequestHeaders = Self(
        unchecked: "Access-Control-Request-Headers")
    /// `Access-Control-Request-Method`.
    public static let accessControlRequestMethod = Self(unchecked: "Access-Control-Request-Method")
    /// `Access-Control-Request-Private-Network`.
    public static let accessControlRequestPrivateNetwork = Self(
        unchecked: "Access-Control-Request-Private-Network")
    /// `Age`.
    public static let age = Self(unchecked: "Age")
    /// `Allow`.
    public static let allow = Self(unchecked: "Allow")
    /// `Authentication-Info`.
    public static let authenticationInfo = Self(unchecked: "Authentication-Info")
    /// `Authorization`.
    public static let authorization = Self(unchecked: "Authorization")
    /// `Cache-Control`.
    public static let cacheControl = Self(unchecked: "Cache-Control")
    /// `Connection`.
    public static let connection = Self(unchecked: "Connection")
    /// `Content-Disposition`.
    public static let contentDisposition = Self(unchecked: "Content-Disposition")
    /// `Content-Encoding`.
    public static let contentEncoding = Self(unchecked: "Content-Encoding")
    /// `Content-Language`.
    public static let contentLanguage = Self(unchecked: "Content-Language")
    /// `Content-Length`.
    public static let contentLength = Self(unchecked: "Content-Length")
    /// `Content-Location`.
    public static let contentLocation = Self(unchecked: "Content-Location")
    /// `Content-Range`.
    public static let contentRange = Self(unchecked: "Content-Range")
    /// `Content-Security-Policy`.
    public static let contentSecurityPolicy = Self(unchecked: "Content-Security-Policy")
    /// `Content-Type`.
    public static let contentType = Self(unchecked: "Content-Type")
    /// `Cookie`.
    public static let cookie = Self(unchecked: "Cookie")
    /// `Cross-Origin-Resource-Policy`.
    public static let crossOriginResourcePolicy = Self(unchecked: "Cross-Origin-Resource-Policy")
    /// `Date`.
    public static let date = Self(unchecked: "Date")
    /// `ETag`.
    public static let eTag = Self(unchecked: "ETag")
    /// `Expect`.
    public static let expect = Self(unchecked: "Expect")
    /// `Expires`.
    public static let expires = Self(unchecked: "Expires")
    /// `Forwarded`.
    public static let forwarded = Self(unchecked: "Forwarded")
    /// `From`.
    public static let from = Self(unchecked: "From")
    /// `Host`.
    public static let host = Self(unchecked: "Host")
    /// `If-Match`.
    public static let ifMatch = Self(unchecked: "If-Match")
    /// `If-Modified-Since`.
    public static let ifModifiedSince = Self(unchecked: "If-Modified-Since")
    /// `If-None-Match`.
    public static let ifNoneMatch = Self(unchecked: "If-None-Match")
    /// `If-Range`.
    public static let ifRange = Self(unchecked: "If-Range")
    /// `If-Unmodified-Since`.
    public static let ifUnmodifiedSince = Self(unchecked: "If-Unmodified-Since")
    /// `Last-Event-ID`.
    public static let lastEventID = Self(unchecked: "Last-Event-ID")
    /// `Last-Modified`.
    public static let lastModified = Self(unchecked: "Last-Modified")
    /// `Link`.
    public static let link = Self(unchecked: "Link")
    /// `Location`.
    public static let location = Self(unchecked: "Location")
    /// `Max-Forwards`.
    public static let maxForwards = Self(unchecked: "Max-Forwards")
    /// `Origin`.
    public static let origin = Self(unchecked: "Origin")
    /// `Proxy-Authenticate`.
    public static let proxyAuthenticate = Self(unchecked: "Proxy-Authenticate")
    /// `Proxy-Authorization`.
    public static let proxyAuthorization = Self(unchecked: "Proxy-Authorization")
    /// `Range`.
    public static let range = Self(unchecked: "Range")
    /// `Referer`.
    public static let referer = Self(unchecked: "Referer")
    /// `Retry-After`.
    public static let retryAfter = Self(unchecked: "Retry-After")
    /// `Sec-Fetch-Site`.
    public static let secFetchSite = Self(unchecked: "Sec-Fetch-Site")
    /// `Sec-WebSocket-Accept`.
    public static let secWebSocketAccept = Self(unchecked: "Sec-WebSocket-Accept")
    /// `Sec-WebSocket-Extensions`.
    public static let secWebSocketExtensions = Self(unchecked: "Sec-WebSocket-Extensions")
    /// `Sec-WebSocket-Key`.
    public static let secWebSocketKey = Self(unchecked: "Sec-WebSocket-Key")
    /// `Sec-WebSocket-Protocol`.
    public static let secWebSocketProtocol = Self(unchecked: "Sec-WebSocket-Protocol")
    /// `Sec-WebSocket-Version`.
    public static let secWebSocketVersion = Self(unchecked: "Sec-WebSocket-Version")
    /// `Server`.
    public static let server = Self(unchecked: "Server")
    /// `Set-Cookie`.
    public static let setCookie = Self(unchecked: "Set-Cookie")
    /// `Strict-Transport-Security`.
    public static let strictTransportSecurity = Self(unchecked: "Strict-Transport-Security")
    /// `TE`.
    public static let te = Self(unchecked: "TE")
    /// `traceparent`.
    public static let traceParent = Self(unchecked: "traceparent")
    /// `tracestate`.
    public static let traceState = Self(unchecked: "tracestate")
    /// `Trailer`.
    public static let trailer = Self(unchecked: "Trailer")
    /// `Transfer-Encoding`.
    public static let transferEncoding = Self(unchecked: "Transfer-Encoding")
    /// `Upgrade`.
    public static let upgrade = Self(unchecked: "Upgrade")
    /// `User-Agent`.
    public static let userAgent = Self(unchecked: "User-Agent")
    /// `Vary`.
    public static let vary = Self(unchecked: "Vary")
    /// `Via`.
    public static let via = Self(unchecked: "Via")
    /// `WWW-Authenticate`.
    public static let wwwAuthenticate = Self(unchecked: "WWW-Authenticate")
    /// `X-Accel-Buffering`.
    public static let xAccelBuffering = Self(unchecked: "X-Accel-Buffering")
    /// `X-Content-Type-Options`.
    public static let xContentTypeOptions = Self(unchecked: "X-Content-Type-Options")
    /// `X-Forwarded-For`.
    public static let xForwardedFor = Self(unchecked: "X-Forwarded-For")
    /// `X-Forwarded-Host`.
    public static let xForwardedHost = Self(unchecked: "X-Forwarded-Host")
    /// `X-Forwarded-Proto`.
    public static let xForwardedProto = Self(unchecked: "X-Forwarded-Proto")
    /// `X-Frame-Options`.
    public static let xFrameOptions = Self(unchecked: "X-Frame-Options")
}
