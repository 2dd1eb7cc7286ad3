import WharfHTTP

/// Where COPY and MOVE put a resource (RFC 4918 §10.3).
package enum Destination {
    /// Why a destination is refused.
    package enum Failure: Error, Sendable, Hashable {
        /// It is no URL and no path: 400.
        case malformed
        /// It lies on another server: 502.
        case elsewhere
    }

    private static let schemes: Set<String> = [
        "http", "https", "dav", "davs", "webdav", "webdavs",
    ]

    /// The path that a URL names, as it was sent and without its query.
    ///
    /// `host` is the request's own, `base` its path. Another scheme is taken for this one: a proxy
    /// may have ended the TLS. A path that is relative to `base` is understood as well, because
    /// KeeWeb sends such.
    package static func path(_ value: String, host: String?, base: String) throws(Failure) -> String
    {
        guard !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            !value.utf8.contains(UInt8(ascii: "#"))
        else { throw .malformed }
        let url = value.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)[0]
        if url.hasPrefix("/") {
            guard !url.hasPrefix("//") else { throw .malformed }
            return String(url)
        }
        guard let colon = url.firstRange(of: "://") else {
            // A first segment with a colon would be a scheme (RFC 3986 §4.2).
            guard !url.prefix(while: { $0 != "/" }).contains(":") else { throw .malformed }
            let folder = base.lastIndex(of: "/").map { base[...$0] } ?? "/"
            return String(folder + url)
        }
        guard schemes.contains(url[..<colon.lowerBound].lowercased()) else { throw .malformed }
        let rest = url[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard !authority.isEmpty else { throw .malformed }
        if let host, canonical(authority) != canonical(host[...]) { throw .elsewhere }
        let path = rest[authority.endIndex...]
        guard !path.hasPrefix("//") else { throw .malformed }
        return path.isEmpty ? "/" : String(path)
    }

    /// Host and port in small letters, without the ports that go without saying.
    private static func canonical(_ authority: Substring) -> String {
        let host = authority.split(separator: "@").last ?? authority
        let text = host.lowercased()
        for port in [":80", ":443"] where text.hasSuffix(port) {
            return String(text.dropLast(port.count))
        }
        return text
    }
}
