import WharfHTTP
import WharfNet

/// The names by which clients may call a server.
final class HostNames: Sendable {
    private let names: Set<String>
    /// What the other names may end with, their first dot included.
    private let endings: [String]
    private let allowsAny: Bool

    /// The names that every server on this machine has, and others: see ``Protection``.
    init(_ others: [String], machineName: String? = MachineName.current) {
        var names: Set<String> = ["localhost"]
        // RFC 6761 §6.3: names below localhost lead to this machine as well.
        var endings = [".localhost"]
        let texts = others + Self.names(of: machineName)
        for text in texts where text != "*" {
            let isPattern = text.hasPrefix("*.")
            guard let name = HostAndPort(isPattern ? String(text.dropFirst(2)) : text)?.host else {
                continue
            }
            if isPattern { endings.append("." + name) } else { names.insert(name) }
        }
        self.names = names
        self.endings = endings
        allowsAny = others.contains("*")
    }

    /// A machine's name, its first label, and what multicast DNS makes of it (RFC 6762 §3).
    private static func names(of machine: String?) -> [String] {
        guard let machine, let label = machine.split(separator: ".").first else { return [] }
        return [machine, String(label), "\(label).local"]
    }

    /// Why a request is not for this server; `nil` if it is.
    func refusal(of request: Request) -> String? {
        refusal(of: request.authority, from: request.peer.address)
    }

    /// Why what a client has asked for is not this server; `nil` if it is.
    func refusal(of authority: String?, from peer: SocketAddress) -> String? {
        // Nobody gets to a Unix socket by a name.
        if case .unix = peer { return nil }
        // HTTP/1.0 may lack it, and no browser speaks that.
        guard let text = authority else { return nil }
        guard let authority = HostAndPort(text), knows(authority.host) else {
            return "\(text) is no name of this server (Protection, --host)"
        }
        return nil
    }

    /// Whether a host, in the spelling of ``WharfHTTP/HostAndPort``, is this server.
    ///
    /// An address is: whoever has it needs no name that could be made to lead elsewhere.
    func knows(_ host: String) -> Bool {
        allowsAny || names.contains(host) || endings.contains { host.hasSuffix($0) }
            || SocketAddress(numeric: host, port: 0) != nil
    }
}
