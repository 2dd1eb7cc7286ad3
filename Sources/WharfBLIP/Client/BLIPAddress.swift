import WharfBLIPEngine
import WharfHTTP

/// Where a client connects to: a URL, taken apart.
struct BLIPAddress: Sendable, Hashable {
    enum Scheme: String, Sendable, Hashable {
        /// BLIP over a WebSocket, and over TLS.
        case ws, wss
        /// BLIP 1.1 on a bare connection, and over TLS.
        case blip, blips

        var usualPort: UInt16? {
            switch self {
            case .ws: 80
            case .wss: 443
            case .blip, .blips: nil
            }
        }
    }

    let scheme: Scheme
    let host: String
    let port: UInt16
    /// With the query.
    let path: String

    /// Takes `ws` and `wss`, or `http` and `https`, and `blip` and `blips`, which need a port.
    ///
    /// What is after `#` is dropped.
    init(_ url: String) throws {
        guard let mark = url.firstRange(of: "://"),
            let scheme = Self.scheme(of: url[..<mark.lowerBound])
        else { throw BLIPAddressError(url) }
        let rest = url[mark.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // A name and a password in front would go out in the clear, and be printed.
        guard !authority.contains("@"), let site = HostAndPort(String(authority)),
            !site.host.isEmpty, let port = site.port ?? scheme.usualPort, port != 0
        else { throw BLIPAddressError(url) }
        let path = rest[authority.endIndex...]
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw BLIPAddressError(url) }
        self.scheme = scheme
        host = site.host
        self.port = port
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }

    private static func scheme(of text: Substring) -> Scheme? {
        switch text.lowercased() {
        case "ws", "http": .ws
        case "wss", "https": .wss
        case "blip": .blip
        case "blips": .blips
        default: nil
        }
    }

    /// What is asked of an HTTP server, to be upgraded.
    var httpURL: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme == .wss ? "https" : "http")://\(name):\(port)\(path)"
    }
}

/// A text that is no URL to connect to: `ws://host/path`, `blip://host:port`, or `wss` or
/// `blips` for TLS.
public struct BLIPAddressError: Error, Sendable, Hashable {
    /// The text.
    public let url: String

    init(_ url: String) {
        self.url = url
    }
}
