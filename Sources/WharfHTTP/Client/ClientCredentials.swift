/// A name and a password for a server or a proxy, and when they may be sent.
public struct ClientCredentials: Sendable, Hashable {
    /// The schemes by which they may be used.
    public struct Schemes: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8

        /// A set of its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Whoever reads the request reads the password (RFC 7617).
        public static let basic = Schemes(rawValue: 1)
        /// Only a proof is sent (RFC 7616).
        public static let digest = Schemes(rawValue: 2)
    }

    /// The name; it holds no colon.
    public let userName: String
    /// The password.
    public let password: String
    /// The schemes that are answered; of a choice Digest is taken.
    public var schemes: Schemes
    /// Sends them with the first request, before anybody has asked: by Basic.
    public var isPreemptive: Bool

    /// Credentials, or `nil` if they can't be sent: with a colon in the name, or controls.
    public init?(
        userName: String, password: String, schemes: Schemes = [.basic, .digest],
        isPreemptive: Bool = false
    ) {
        guard BasicCredentials(userName: userName, password: password) != nil else { return nil }
        self.userName = userName
        self.password = password
        self.schemes = schemes
        self.isPreemptive = isPreemptive
    }

    /// The value of an Authorization field by Basic.
    var basicValue: String? {
        BasicCredentials(userName: userName, password: password)?.fieldValue
    }
}
