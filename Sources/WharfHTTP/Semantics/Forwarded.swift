/// What one proxy says of who asked it: an element of Forwarded (RFC 7239 §4), or of the fields
/// that were there before it.
package struct ForwardedHop: Sendable, Hashable {
    /// Who asked the proxy: an address, maybe with a port, or a word for one that is not told.
    package var client: String?
    /// The scheme that it was asked by.
    package var scheme: String?
    /// The host that it was asked for.
    package var host: String?

    package init(client: String? = nil, scheme: String? = nil, host: String? = nil) {
        self.client = client
        self.scheme = scheme
        self.host = host
    }

    /// Reads a value of Forwarded, the hop next to the server last.
    ///
    /// `nil` if it is malformed, or names something twice.
    package static func hops(parsing value: String) -> [ForwardedHop]? {
        var scanner = ParameterScanner(Array(value.utf8))
        var hops = [ForwardedHop()]
        var names: Set<String> = []
        while true {
            scanner.skipWhitespace()
            if scanner.isAtEnd { return hops }
            if scanner.take(ASCII.comma) {
                hops.append(ForwardedHop())
                names = []
                continue
            }
            if scanner.take(ASCII.semicolon) { continue }
            guard let (name, text) = scanner.parameter(),
                names.insert(name.lowercasedASCII).inserted, scanner.isAtSeparator
            else { return nil }
            hops[hops.count - 1].set(name.lowercasedASCII, text)
        }
    }

    private mutating func set(_ name: String, _ text: String) {
        switch name {
        case "for": client = text
        case "proto": scheme = text.lowercasedASCII
        case "host": host = text
        default: break
        }
    }

    /// The hops that X-Forwarded-For, -Proto and -Host tell of, as far as they are there.
    ///
    /// Each proxy appends to the first. Many replace the others, so a list that is shorter than the
    /// first belongs to the hops next to the server, and its last part to all that it has none for.
    package static func hops(clients: String?, schemes: String?, hosts: String?) -> [ForwardedHop] {
        let clients = parts(clients)
        let (schemes, hosts) = (parts(schemes), parts(hosts))
        func part(_ parts: [String], _ distance: Int) -> String? {
            distance < parts.count ? parts[parts.count - 1 - distance] : parts.last
        }
        let count = max(clients.count, 1)
        return (0..<count).map { index in
            let distance = count - 1 - index
            return ForwardedHop(
                client: index < clients.count ? clients[index] : nil,
                scheme: part(schemes, distance)?.lowercasedASCII, host: part(hosts, distance))
        }
    }

    private static func parts(_ value: String?) -> [String] {
        guard let value else { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let bytes = Array(part.utf8)
            return String(decoding: bytes[bytes.span.trimmed(bytes.indices)], as: UTF8.self)
        }
    }
}

extension ParameterScanner {
    /// Whether a parameter may end here.
    fileprivate var isAtSeparator: Bool {
        switch next {
        case nil, ASCII.comma, ASCII.semicolon, ASCII.space, ASCII.tab: true
        default: false
        }
    }
}
