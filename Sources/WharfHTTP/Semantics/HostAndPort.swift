/// A host and its port in one spelling, as a Host field, a target or an origin names them.
package struct HostAndPort: Sendable, Hashable {
    /// In small letters and without the root's dot at its end; an IPv6 address without brackets.
    package let host: String
    /// `nil`: the one that is usual for the scheme.
    package let port: UInt16?

    /// Reads a host with an optional port (RFC 3986 §3.2); `nil` if the text is none.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Authority.isValid(bytes.span, bytes.indices),
            Authority.hasHost(bytes.span, bytes.indices)
        else { return nil }
        var host = bytes[...]
        var port: ArraySlice<UInt8> = []
        let end = bytes.lastIndex(of: ASCII.closeBracket) ?? bytes.startIndex
        if let colon = bytes[end...].lastIndex(of: ASCII.colon) {
            host = bytes[..<colon]
            port = bytes[(colon + 1)...]
        }
        if host.first == ASCII.openBracket { host = host.dropFirst().dropLast() }
        // RFC 1034 §3.1: `example.org.` is the same host as `example.org`.
        if host.count > 1, host.last == ASCII.dot { host = host.dropLast() }
        self.host = String(decoding: host.map { ASCII.lowercased($0) }, as: UTF8.self)
        // RFC 3986 §6.2.3: an empty port is as good as none.
        self.port = UInt16(String(decoding: port, as: UTF8.self))
    }
}
