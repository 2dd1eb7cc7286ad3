/// A name and a password, as the scheme Basic sends them (RFC 7617).
///
/// Whoever reads the message reads the password.
public struct BasicCredentials: Sendable, Hashable {
    /// The name; it holds no colon.
    public let userName: String
    /// The password.
    public let password: String

    /// Credentials to send, or `nil` if they can't be sent.
    ///
    /// RFC 7617 §2: the name has no colon, and neither has control characters.
    public init?(userName: String, password: String) {
        guard !userName.utf8.contains(ASCII.colon),
            !(userName + password).utf8.contains(where: Self.isControl)
        else { return nil }
        self.userName = userName
        self.password = password
    }

    /// Reads what follows `Basic ` in an Authorization field, or answers `nil` if it is malformed.
    ///
    /// The first colon ends the name. The text is UTF-8; what is not is read as ISO-8859-1, which
    /// some clients send.
    public init?(token: some Collection<UInt8>) {
        guard let bytes = Base64.decode(token), let colon = bytes.firstIndex(of: ASCII.colon)
        else { return nil }
        self.init(
            userName: String(fieldBytes: bytes[..<colon]),
            password: String(fieldBytes: bytes[(colon + 1)...]))
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < ASCII.space || byte == ASCII.delete
    }

    /// The value of an Authorization field that sends them.
    public var fieldValue: String {
        "Basic " + Base64.encode(Array((userName + ":" + password).utf8))
    }
}
