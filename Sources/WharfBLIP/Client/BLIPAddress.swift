import WharfBLIPEngine
import WharfHTTP

/// Where a client connects to: a URL, taken apart.
struct BLIPAddress: Sendable, Hashable {
    enum Scheme: String, Sendable, Hashable {
        /// BLIP over a WebSocket.
        case ws
        /// BLIP 1.1 on a bare connection.
        case blip

        var usualPort: UInt16? { self == .ws ? 80 : nil }
    }

    let scheme: Scheme
    let host: String
    let port: UInt16
    /// With the query.
    let path: String

    /// Takes `ws` or `http`, and `blip`, which needs a port; what is after `#` is dropped.
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
        case "blip": .blip
        default: nil
        }
    }

    /// What goes into the field Host.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == scheme.usualPort ? name : "\(name):\(port)"
    }
}

/// A text that is no URL to connect to: `ws://host/path` or `blip://host:port`.
public struct BLIPAddressError: Error, Sendable, Hashable {
    /// The text.
    public let url: String

    init(_ url: String) {
        self.url = url
    }
}
