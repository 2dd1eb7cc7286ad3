/// What a client identifies itself with: the value of an Authorization field (RFC 9110 §11.6.2).
public enum Authorization: Sendable, Hashable {
    /// A name and a password.
    case basic(BasicCredentials)
    /// A proof that the client knows a password.
    case digest(DigestCredentials)
    /// Another scheme, in lower case, and what follows it.
    case other(scheme: String, credentials: String)

    /// Reads a value, or answers `nil` if it is malformed.
    public init?(_ value: String) {
        self.init(bytes: Array(value.utf8)[...])
    }

    /// Reads the bytes of a value, or answers `nil` if it is malformed.
    package init?(bytes: ArraySlice<UInt8>) {
        let scheme = bytes.prefix { ASCII.isToken($0) }
        let rest = bytes[scheme.endIndex...]
        // RFC 9110 §11.4: at least one space follows the scheme.
        let credentials = rest.drop { $0 == ASCII.space }
        guard !scheme.isEmpty, credentials.count < rest.count || rest.isEmpty else { return nil }
        switch String(fieldBytes: scheme).lowercasedASCII {
        case "basic":
            guard let basic = BasicCredentials(token: credentials) else { return nil }
            self = .basic(basic)
        case "digest":
            guard let digest = DigestCredentials(parameters: credentials) else { return nil }
            self = .digest(digest)
        case let name:
            self = .other(scheme: name, credentials: String(fieldBytes: credentials))
        }
    }
}
