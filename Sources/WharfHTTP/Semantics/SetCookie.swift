/// A cookie that a client is to keep: the value of one Set-Cookie line (RFC 6265bis §4.1).
///
/// What browsers would drop in silence can't be made. By default a cookie is for the whole site
/// until the browser ends, out of reach of scripts, and not sent along with what other sites post;
/// one that was set over TLS is sent over TLS only.
public struct SetCookie: Sendable, Hashable {
    /// Whether requests that other sites cause carry the cookie.
    public enum SameSite: String, Sendable, Hashable {
        /// None does.
        case strict = "Strict"
        /// Those do that take the user to this site by GET, such as links.
        case lax = "Lax"
        /// All do; only a cookie with `Secure` may say so.
        case none = "None"
    }

    /// The name; upper and lower case differ.
    public let name: String
    /// The value.
    public let value: String
    /// The paths that it is for: this one and those below; nil: those of the request's folder.
    public let path: String?
    /// The host that it is for, along with all below; nil: only the one that was asked.
    public let domain: String?
    /// How long it is kept, with zero or less not at all; nil: until ``expires``.
    public let maxAge: Duration?
    /// Until when it is kept, unless ``maxAge`` says something; nil: until the browser ends.
    public let expires: HTTPDate?
    /// Whether it is sent over TLS only; nil: if it was set over TLS.
    ///
    /// A server decides it when it sends the answer. Browsers make an exception for `localhost`.
    public let isSecure: Bool?
    /// Whether scripts can't read it.
    public let isHTTPOnly: Bool
    /// When it is sent along with what other sites cause; nil: as the browser has it.
    public let sameSite: SameSite?
    /// Whether embedded pages have one for each site that embeds them.
    public let isPartitioned: Bool

    /// A cookie.
    ///
    /// Throws ``SetCookieError`` for what can't be sent or would be dropped: a name that is no token;
    /// a value with controls, white space, `"`, `,`, `;`, `\` or anything but ASCII (encode it
    /// then, in Base64 for example); more than 4,096 bytes of both; a path that doesn't begin with `/`;
    /// `SameSite=None` or `Partitioned` without `isSecure: true`; a name that begins with `__Secure-`
    /// or `__Host-` without what these promise.
    public init(
        _ name: String, _ value: String, path: String? = "/", domain: String? = nil,
        maxAge: Duration? = nil, expires: HTTPDate? = nil, isSecure: Bool? = nil,
        isHTTPOnly: Bool = true, sameSite: SameSite? = .lax, isPartitioned: Bool = false
    ) throws(SetCookieError) {
        self.name = name
        self.value = value
        self.path = path
        self.domain = domain
        self.maxAge = maxAge
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.isPartitioned = isPartitioned
        try checkTexts()
        try checkPromises()
    }

    /// What makes clients forget a cookie, which they know by its name, domain and path.
    ///
    /// Throws ``SetCookieError`` as the other initializer does.
    public static func forgetting(
        _ name: String, path: String? = "/", domain: String? = nil
    ) throws(SetCookieError) -> SetCookie {
        // One with a prefix is only heeded with what the prefix promises.
        let isPromise = hasPrefix(name, "__secure-") || hasPrefix(name, "__host-")
        return try SetCookie(
            name, "", path: path, domain: domain, maxAge: .zero,
            isSecure: isPromise ? true : nil)
    }

    // MARK: What browsers drop

    private func checkTexts() throws(SetCookieError) {
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else { throw .name }
        guard value.utf8.allSatisfy(Self.isValueByte) else { throw .value }
        // RFC 6265bis §5.6: of a cookie that is longer nothing is kept.
        guard name.utf8.count + value.utf8.count <= 4096 else { throw .length }
        if let path {
            guard path.utf8.first == ASCII.slash, path.utf8.allSatisfy(Self.isPathByte),
                path.utf8.count <= Self.attributeCountMax
            else { throw .path }
        }
        if let domain {
            guard Self.isHostName(domain), domain.utf8.count <= Self.attributeCountMax else {
                throw .domain
            }
        }
    }

    // RFC 6265bis §4.1.2.5, §4.1.2.7 and §4.1.3; CHIPS §2.1.
    private func checkPromises() throws(SetCookieError) {
        let isSecure = isSecure == true
        if sameSite == SameSite.none || isPartitioned, !isSecure { throw .needsSecure }
        if Self.hasPrefix(name, "__secure-"), !isSecure { throw .prefix }
        if Self.hasPrefix(name, "__host-") {
            guard isSecure, path == "/", domain == nil else { throw .prefix }
        }
    }

    /// RFC 6265bis §5.7: browsers look at a prefix without regard to case.
    private static func hasPrefix(_ name: String, _ prefix: String) -> Bool {
        name.lowercasedASCII.hasPrefix(prefix)
    }

    private static let attributeCountMax = 1024

    // RFC 6265bis §4.1.1: `cookie-octet`.
    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte > ASCII.space && byte < ASCII.delete && byte != ASCII.quote && byte != ASCII.comma
            && byte != ASCII.semicolon && byte != ASCII.backslash
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte >= ASCII.space && byte < ASCII.delete && byte != ASCII.semicolon
    }

    private static func isHostName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.allSatisfy { byte in
                    ASCII.isDigit(byte) || byte == ASCII.hyphen
                        || (0x61...0x7A).contains(ASCII.lowercased(byte))
                }
        }
    }
}

extension SetCookie: CustomStringConvertible {
    /// The value of the field line; without `Secure` unless ``isSecure`` says so.
    public var description: String {
        var text = "\(name)=\(value)"
        if let path { text += "; Path=\(path)" }
        if let domain { text += "; Domain=\(domain)" }
        if let maxAge { text += "; Max-Age=\(max(0, maxAge.components.seconds))" }
        if let expires { text += "; Expires=\(expires)" }
        if isSecure == true { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        if isPartitioned { text += "; Partitioned" }
        return text
    }
}

/// Why a cookie can't be made: browsers would drop it.
public enum SetCookieError: Error, Sendable, Hashable {
    /// The name is no token.
    case name
    /// The value has a character that none may have.
    case value
    /// Name and value are more than 4,096 bytes.
    case length
    /// The path doesn't begin with a slash, or has a control, `;` or anything but ASCII in it.
    case path
    /// The domain is no host name.
    case domain
    /// `SameSite=None` and `Partitioned` need `Secure`.
    case needsSecure
    /// `__Secure-` needs `Secure`; `__Host-` needs `Secure`, the path `/`, and no domain.
    case prefix
}
