/// Where the page or script behind a request came from: the value of an Origin field
/// (RFC 6454 §7.1).
package struct Origin: Sendable, Hashable {
    /// The scheme in small letters.
    package let scheme: String
    private let site: HostAndPort

    /// Reads a scheme, a host and an optional port.
    ///
    /// `nil` for `null`, which stands for an origin that is not told, and for what is no origin.
    package init?(_ text: String) {
        let scheme = text.utf8.prefix { ASCII.isToken($0) }
        let rest = text.utf8[scheme.endIndex...]
        guard !scheme.isEmpty, rest.starts(with: "://".utf8),
            let site = HostAndPort(String(Substring(rest.dropFirst(3))))
        else { return nil }
        self.scheme = String(Substring(scheme)).lowercasedASCII
        self.site = site
    }

    /// Whether it is the origin of pages that are served under a host and a port.
    ///
    /// Which of `http` and `https` it is does not matter: a server behind something that ends TLS
    /// does not know.
    package func isServed(under authority: HostAndPort) -> Bool {
        guard let usual = usualPort, site.host == authority.host else { return false }
        return (site.port ?? usual) == (authority.port ?? usual)
    }

    /// The port that needs no mention; `nil` for schemes that are not HTTP's.
    private var usualPort: UInt16? {
        switch scheme {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// Compares with the usual port in the place of a missing one.
    package static func == (left: Self, right: Self) -> Bool {
        left.scheme == right.scheme && left.site.host == right.site.host
            && (left.site.port ?? left.usualPort) == (right.site.port ?? right.usualPort)
    }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(site.host)
        hasher.combine(site.port ?? usualPort)
    }
}
