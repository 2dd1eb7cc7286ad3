import WharfHTTP

/// Whose pages may open a WebSocket.
///
/// Browsers let every page open one to every server, with the user's cookies, and only say in Origin
/// where the page is from (RFC 6455 §10.2). Other programs send no Origin and are let in.
public struct WebSocketOrigins: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case any, sameHost
        case only(Set<String>)
    }

    private let rule: Rule

    /// Everybody's: for services that trust nothing that a browser sends by itself.
    public static let any = Self(rule: .any)
    /// Those of the host and port that the request names.
    public static let sameHost = Self(rule: .sameHost)

    /// Those of these origins, as browsers write them: `https://example.com`.
    public static func only(_ origins: [String]) -> Self {
        Self(rule: .only(Set(origins.map { $0.lowercased() })))
    }

    func allow(_ request: HTTPRequest) -> Bool {
        guard let origin = request.headerFields[.origin]?.lowercased() else { return true }
        switch rule {
        case .any: return true
        case .only(let origins): return origins.contains(origin)
        case .sameHost:
            guard let host = request.authority?.lowercased() else { return false }
            // The scheme is not compared: before a proxy it is another one than here.
            return origin == "http://" + host || origin == "https://" + host
        }
    }
}
