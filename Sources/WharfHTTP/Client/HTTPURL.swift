/// An absolute `http` or `https` URL, taken apart (RFC 9110 §4.2).
///
/// The fragment is not kept, and a name and password in front of the host are kept apart: neither
/// is part of what is sent or printed.
public struct HTTPURL: Sendable, Hashable {
    /// The schemes of HTTP.
    public enum Scheme: String, Sendable, Hashable {
        /// Over TCP as it is.
        case http
        /// Over TLS.
        case https

        /// The port that needs no mention.
        public var usualPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// `http` or `https`.
    public let scheme: Scheme
    /// In small letters; an IPv6 address without brackets.
    public let host: String
    /// The port, the usual one when none is named.
    public let port: UInt16
    /// The path with its query, percent-encoded; it begins with a slash.
    public let target: String
    /// The name before `@`, decoded; `nil` when there is none.
    public let userName: String?
    /// The password before `@`, decoded; `nil` when there is none.
    public let password: String?

    /// Reads a URL; what can't stand in one, such as a space, is percent-encoded.
    ///
    /// Throws ``HTTPURLError`` for another scheme, and for a host or port that is none.
    public init(_ text: String) throws(HTTPURLError) {
        let bytes = Array(PercentEncoding.encodeReference(text).utf8)[...]
        guard let colon = bytes.firstIndex(of: ASCII.colon),
            let scheme = Scheme(
                rawValue: String(decoding: bytes[..<colon], as: UTF8.self).lowercasedASCII)
        else { throw .scheme }
        let rest = bytes[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { throw .host }
        try self.init(scheme, rest.dropFirst(2))
    }

    /// Reads what follows `//`.
    private init(_ scheme: Scheme, _ rest: ArraySlice<UInt8>) throws(HTTPURLError) {
        let end = rest.firstIndex { $0 == ASCII.slash || $0 == ASCII.question || $0 == ASCII.hash }
        var authority = rest[..<(end ?? rest.endIndex)]
        var user: [ArraySlice<UInt8>] = []
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            user = authority[..<at].split(
                separator: ASCII.colon, maxSplits: 1, omittingEmptySubsequences: false)
            authority = authority[(at + 1)...]
        }
        let text = String(decoding: authority, as: UTF8.self)
        // What had to be encoded is no name that DNS knows, and neither is what came so.
        guard let site = HostAndPort(text), !site.host.isEmpty, !site.host.contains("%") else {
            throw .host
        }
        guard site.port != 0 else { throw .host }
        self.scheme = scheme
        host = site.host
        port = site.port ?? scheme.usualPort
        userName = user.first.map { Self.decoded($0) }
        password = user.count > 1 ? Self.decoded(user[1]) : nil
        target = Self.target(rest[(end ?? rest.endIndex)...])
    }

    private init(
        _ scheme: Scheme, host: String, port: UInt16, target: String, userName: String? = nil,
        password: String? = nil
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target
        self.userName = userName
        self.password = password
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: PercentEncoding.decode(bytes) ?? Array(bytes), as: UTF8.self)
    }

    /// What is asked of the server: without a fragment, and with a slash in front.
    private static func target(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes.prefix { $0 != ASCII.hash }, as: UTF8.self)
        return text.utf8.first == ASCII.slash ? text : "/" + text
    }
}

/// Why a text is no URL that can be asked.
public enum HTTPURLError: Error, Sendable, Hashable {
    /// The scheme is missing, or is neither `http` nor `https`.
    case scheme
    /// The host is missing or malformed, or the port is no number from 1 to 65535.
    case host
}

extension HTTPURL {
    /// Where a URL is served: scheme, host and port (RFC 9110 §4.3.1).
    public struct Origin: Sendable, Hashable {
        /// `http` or `https`.
        public let scheme: Scheme
        /// The host in small letters.
        public let host: String
        /// The port.
        public let port: UInt16
    }

    /// Where it is served.
    public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

    /// The path without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// What stands in a Host field: the port only when it is not the usual one.
    public var authority: String {
        port == scheme.usualPort ? bracketedHost : "\(bracketedHost):\(port)"
    }

    /// Host and port, as CONNECT wants them (RFC 9110 §9.3.6).
    package var hostAndPort: String { "\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// The same place with another path and query, which begin with a slash.
    package func with(target: String) -> HTTPURL {
        HTTPURL(
            scheme, host: host, port: port, target: Self.target(Array(target.utf8)[...]),
            userName: userName, password: password)
    }

    /// What a reference means that is found here, as in a Location field (RFC 3986 §5.2).
    ///
    /// Throws ``HTTPURLError`` as the initializer does. Names and passwords in it are dropped.
    public func resolving(_ reference: String) throws(HTTPURLError) -> HTTPURL {
        let text = PercentEncoding.encodeReference(reference)
        let bytes = Array(text.utf8).prefix { $0 != ASCII.hash }
        let end = bytes.firstIndex {
            $0 == ASCII.colon || $0 == ASCII.slash || $0 == ASCII.question
        }
        if let end, bytes[end] == ASCII.colon {
            let url = try HTTPURL(text)
            return HTTPURL(
                url.scheme, host: url.host, port: url.port, target: Self.normalized(url.target))
        }
        if bytes.starts(with: "//".utf8) {
            let url = try HTTPURL(scheme, bytes.dropFirst(2))
            return HTTPURL(
                url.scheme, host: url.host, port: url.port, target: Self.normalized(url.target))
        }
        let relative = String(decoding: bytes, as: UTF8.self)
        let merged: String
        switch bytes.first {
        case nil: merged = target
        case ASCII.slash: merged = relative
        case ASCII.question: merged = path + relative
        default: merged = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + relative
        }
        return HTTPURL(scheme, host: host, port: port, target: Self.normalized(merged))
    }

    /// RFC 3986 §5.2.4: the path without `.` and `..`, and the query as it is.
    private static func normalized(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isDots = segment == "." || segment == ".."
            if segment == ".." { _ = kept.popLast() }
            if !isDots { kept.append(segment) }
            if isDots, index == segments.count - 1 { kept.append("") }
        }
        return "/" + kept.joined(separator: "/") + target[path.endIndex...]
    }
}

extension HTTPURL: CustomStringConvertible {
    /// The URL without name and password.
    public var description: String { "\(scheme.rawValue)://\(authority)\(target)" }
}

extension HTTPURL.Origin: CustomStringConvertible {
    /// Scheme, host and port, such as `http://[::1]:8080`.
    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(name):\(port)"
    }
}
