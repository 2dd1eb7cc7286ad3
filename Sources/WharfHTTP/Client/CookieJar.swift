/// The cookies that servers have given to a client (RFC 6265 §5.3, §5.4).
///
/// It is bounded: 50 for one domain, 1000 in all; of more than that the oldest go. Times are seconds
/// since 1970.
package struct CookieJar: Sendable {
    private static let perDomainMax = 50
    private static let countMax = 1000
    /// Lines that one answer may set.
    private static let lineMax = 100

    private var cookies: [StoredCookie] = []
    private var number: UInt64 = 0

    /// An empty jar.
    package init() {}

    /// How many there are, those that have expired included.
    package var count: Int { cookies.count }

    /// Keeps what an answer from `url` sets, and drops what it takes back.
    package mutating func store(_ fields: HTTPFields, from url: HTTPURL, now: Int64) {
        for line in fields[values: .setCookie].prefix(Self.lineMax) {
            guard let cookie = StoredCookie(line, from: url, now: now) else { continue }
            store(cookie, from: url, now: now)
        }
    }

    private mutating func store(_ cookie: StoredCookie, from url: HTTPURL, now: Int64) {
        var cookie = cookie
        cookie.number = number
        number &+= 1
        if let index = cookies.firstIndex(where: { $0.isReplaced(by: cookie) }) {
            // RFC 6265bis §5.7: plain HTTP can't replace what came over TLS.
            if cookies[index].isSecure, url.scheme != .https { return }
            cookie.number = cookies[index].number
            cookies.remove(at: index)
        }
        guard cookie.expiry > now else { return }
        cookies.append(cookie)
        evict(cookie.domain, now)
    }

    private mutating func evict(_ domain: String, _ now: Int64) {
        let isOver = { (jar: CookieJar) in
            jar.cookies.count > Self.countMax
                || jar.cookies.count { $0.domain == domain } > Self.perDomainMax
        }
        guard isOver(self) else { return }
        cookies.removeAll { $0.expiry <= now }
        while isOver(self) {
            let isDomainFull = cookies.count { $0.domain == domain } > Self.perDomainMax
            guard
                let oldest = cookies.indices
                    .filter({ !isDomainFull || cookies[$0].domain == domain })
                    .min(by: { cookies[$0].number < cookies[$1].number })
            else { return }
            cookies.remove(at: oldest)
        }
    }

    /// The value of the Cookie field of a request for `url`; `nil` when there is none to send.
    package func field(for url: HTTPURL, now: Int64) -> String? {
        let matching = cookies.filter { $0.matches(url, now: now) }
        guard !matching.isEmpty else { return nil }
        // RFC 6265 §5.4: longer paths first, then in the order in which they came.
        let ordered = matching.sorted {
            $0.path.utf8.count == $1.path.utf8.count
                ? $0.number < $1.number : $0.path.utf8.count > $1.path.utf8.count
        }
        return ordered.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
