extension HTTPResponse {
    /// A status code with its reason phrase (RFC 9110 §15).
    public struct Status: Sendable {
        /// The code, from 0 to 999.
        public let code: Int

        // Nil: the registered phrase. Made on demand, so that a status costs nothing to pass.
        private let customReasonPhrase: String?

        /// A status.
        ///
        /// Traps if `code` has more than three digits. Characters that cannot stand in a status
        /// line become spaces.
        public init(code: Int, reasonPhrase: String = "") {
            precondition((0...999).contains(code), "a status code has three digits")
            self.code = code
            let phrase = HTTPField(name: .server, value: reasonPhrase).value
            customReasonPhrase = phrase == Self.registeredPhrase(code) ? nil : phrase
        }

        init(registered code: Int) {
            self.code = code
            customReasonPhrase = nil
        }

        /// The reason phrase; a hint for people, never for programs.
        public var reasonPhrase: String { customReasonPhrase ?? Self.registeredPhrase(code) }

        var isRegistered: Bool { customReasonPhrase == nil }

        /// The class of the status.
        public var kind: Kind {
            switch code {
            case 100..<200: .informational
            case 200..<300: .successful
            case 300..<400: .redirection
            case 400..<500: .clientError
            case 500..<600: .serverError
            default: .invalid
            }
        }

        /// The first digit of a status code.
        public enum Kind: Sendable, Hashable {
            /// No class: below 100 or above 599.
            case invalid
            /// 1xx: an interim response; another one follows.
            case informational
            /// 2xx.
            case successful
            /// 3xx.
            case redirection
            /// 4xx.
            case clientError
            /// 5xx.
            case serverError
        }
    }
}

extension HTTPResponse.Status: Hashable {
    /// Compares the codes only.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes the code only.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HTTPResponse.Status: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// A status with the registered phrase of its code.
    ///
    /// Traps beyond three digits.
    public init(integerLiteral code: Int) {
        self.init(code: code, reasonPhrase: Self.registeredPhrase(code))
    }

    /// The code and the phrase.
    public var description: String {
        reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)"
    }
}

extension HTTPResponse.Status {
    static let registeredCodes = [
        100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303,
        304, 305, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413,
        414, 415, 416, 417, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503,
        504, 505, 506, 507, 508, 510, 511,
    ]

    static func registeredPhrase(_ code: Int) -> String {
        switch code {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 102: "Processing"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 203: "Non-Authoritative Information"
        case 204: "No Content"
        case 205: "Reset Content"
        case 206: "Partial Content"
        case 207: "Multi-Status"
        case 208: "Already Reported"
        case 226: "IM Used"
        case 300: "Multiple Choices"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 305: "Use Proxy"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 425: "Too Early"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 451: "Unavailable For Legal Reasons"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 506: "Variant Also Negotiates"
        case 507: "Insufficient Storage"
        case 508: "Loop Detected"
        case 510: "Not Extended"
        case 511: "Network Authentication Required"
        default: ""
        }
    }
}
