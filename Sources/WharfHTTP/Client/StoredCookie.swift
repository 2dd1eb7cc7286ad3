/// A cookie as a client keeps it (RFC 6265 §5.3).
struct StoredCookie: Sendable, Hashable {
    let name: String
    let value: String
    /// The host that it is for, or the domain when it is for all below as well.
    let domain: String
    let isForSubdomains: Bool
    let path: String
    let isSecure: Bool
    /// Seconds since 1970; `.max`: until the client ends.
    let expiry: Int64
    /// Counts up with each new cookie, and stays when one is replaced.
    var number: UInt64 = 0

    /// RFC 6265bis §5.6: of a longer one nothing is kept.
    private static let lengthMax = 4096
    /// RFC 6265bis §5.5: a cookie is not kept for longer than this.
    private static let ageMax: Int64 = 400 * 86_400

    /// Reads a Set-Cookie field that came from `url`; `nil` for one that is to be ignored.
    init?(_ text: String, from url: HTTPURL, now: Int64) {
        let pieces = text.utf8.split(
            separator: ASCII.semicolon, maxSplits: 32, omittingEmptySubsequences: false)
        guard let pair = pieces.first.map({ Self.pair($0) }), let value = pair.value,
            !pair.name.isEmpty,
            pair.name.utf8.count + value.utf8.count <= Self.lengthMax,
            (pair.name + value).utf8.allSatisfy(ASCII.isFieldContent)
        else { return nil }
        var attributes: [String: String] = [:]
        for piece in pieces.dropFirst() {
            let attribute = Self.pair(piece)
            // RFC 6265 §5.3: the last one of a name counts.
            attributes[attribute.name.lowercasedASCII] = attribute.value ?? ""
        }
        name = pair.name
        self.value = value
        isSecure = attributes["secure"] != nil
        var wanted = (attributes["domain"] ?? "").lowercasedASCII
        if wanted.hasPrefix(".") { wanted.removeFirst() }
        isForSubdomains = !wanted.isEmpty && wanted != url.host
        // Where domains begin that nobody owns is not known here: none of one label is taken.
        guard
            wanted.isEmpty || wanted == url.host
                || (wanted.contains(".") && Self.covers(wanted, url.host))
        else { return nil }
        domain = wanted.isEmpty ? url.host : wanted
        let path = attributes["path"] ?? ""
        self.path = path.hasPrefix("/") ? path : Self.defaultPath(url.path)
        expiry = Self.expiry(attributes, now)
        guard keepsPromises(url, attributes) else { return nil }
    }

    // RFC 6265bis §5.7: who is not asked over TLS can't set a secure one, nor one with a prefix.
    private func keepsPromises(_ url: HTTPURL, _ attributes: [String: String]) -> Bool {
        if isSecure, url.scheme != .https { return false }
        let lower = name.lowercasedASCII
        if lower.hasPrefix("__secure-") { return isSecure }
        if lower.hasPrefix("__host-") {
            return isSecure && !isForSubdomains && attributes["domain"] == nil && path == "/"
        }
        return true
    }

    /// Whether it goes with a request for that URL.
    func matches(_ url: HTTPURL, now: Int64) -> Bool {
        guard expiry > now, !isSecure || url.scheme == .https else { return false }
        guard domain == url.host || isForSubdomains && Self.covers(domain, url.host) else {
            return false
        }
        // RFC 6265 §5.1.4.
        let asked = url.path
        return asked == path
            || asked.hasPrefix(path)
                && (path.hasSuffix("/") || asked.dropFirst(path.count).first == "/")
    }

    /// Whether a newer one takes its place.
    func isReplaced(by other: StoredCookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path
            && isForSubdomains == other.isForSubdomains
    }

    private static func pair(_ piece: Substring.UTF8View) -> (name: String, value: String?) {
        let bytes = Array(piece)
        let equals = bytes.firstIndex(of: ASCII.equals)
        let name = bytes[bytes.span.trimmed(0..<(equals ?? bytes.count))]
        let value = equals.map { bytes[bytes.span.trimmed(($0 + 1)..<bytes.count)] }
        return (
            String(decoding: name, as: UTF8.self), value.map { String(decoding: $0, as: UTF8.self) }
        )
    }

    // RFC 6265 §5.1.3: below a domain; nothing is below an address.
    private static func covers(_ domain: String, _ host: String) -> Bool {
        let isAddress = host.contains(":") || host.utf8.allSatisfy { !($0 > ASCII.nine) }
        return !isAddress && host.hasSuffix("." + domain)
    }

    // RFC 6265 §5.1.4.
    private static func defaultPath(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    // RFC 6265 §5.3 step 3: Max-Age goes before Expires.
    private static func expiry(_ attributes: [String: String], _ now: Int64) -> Int64 {
        if let text = attributes["max-age"], let first = text.utf8.first,
            first == ASCII.hyphen || ASCII.isDigit(first)
        {
            let isNumber = text.utf8.dropFirst().allSatisfy(ASCII.isDigit)
            let age = Int64(text) ?? (first == ASCII.hyphen ? -1 : .max)
            if isNumber { return age <= 0 ? .min : now + min(age, ageMax) }
        }
        guard let text = attributes["expires"], let seconds = CookieDate.seconds(text) else {
            return .max
        }
        return min(seconds, now + ageMax)
    }
}
