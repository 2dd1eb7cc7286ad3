/// What a client answers a Digest challenge with (RFC 7616 §3.4).
public struct DigestCredentials: Sendable, Hashable {
    /// The name, or what stands for it when ``isUserHashed``.
    public var userName: String
    /// The name is the hash of name and realm (RFC 7616 §3.4.4).
    public var isUserHashed: Bool
    /// The realm that the password belongs to.
    public var realm: String
    /// The server's nonce.
    public var nonce: String
    /// The target of the request.
    public var uri: String
    /// The proof, in hexadecimal digits.
    public var response: String
    /// The name of the algorithm; `nil` means MD5.
    public var algorithm: String?
    /// What the proof covers: `auth` or `auth-int`; `nil` in the manner of RFC 2069.
    public var qop: String?
    /// How many requests the client has sent with the nonce, this one included: eight hexadecimal
    /// digits, as they were sent.
    public var nc: String?
    /// The client's own nonce.
    public var cnonce: String?
    /// What the server has asked to be given back.
    public var opaque: String?

    /// Parameters that may come in one field.
    static let parameterCountMax = 32

    /// Reads what follows `Digest ` in an Authorization field, or answers `nil` if it is malformed.
    ///
    /// Each parameter may be quoted or not, since clients do not agree on that. One that comes
    /// twice, or a name that is given in both of its forms, makes it malformed.
    public init?(parameters bytes: some Collection<UInt8>) {
        guard var values = AuthParameters.read(bytes, countMax: Self.parameterCountMax),
            let realm = values.take("realm"), let nonce = values.take("nonce"),
            let uri = values.take("uri"), let response = values.take("response"),
            Self.isHexadecimal(response)
        else { return nil }
        let hashed = values.take("userhash")?.lowercasedASCII
        guard hashed == nil || hashed == "true" || hashed == "false" else { return nil }
        let plain = values.take("username")
        let extended = values.take("username*")
        switch (plain, extended) {
        case (let name?, nil): userName = name
        // RFC 7616 §3.4: a hash is ASCII, and needs no other form.
        case (nil, let value?) where hashed != "true":
            guard let name = Self.decodeExtended(value) else { return nil }
            userName = name
        default: return nil
        }
        nc = values.take("nc")
        guard nc.map({ Self.nonceCount($0) != nil }) ?? true else { return nil }
        isUserHashed = hashed == "true"
        self.realm = realm
        self.nonce = nonce
        self.uri = uri
        self.response = response
        algorithm = values.take("algorithm")
        qop = values.take("qop")
        cnonce = values.take("cnonce")
        opaque = values.take("opaque")
    }

    /// The number that ``nc`` stands for; `nil` if there is none.
    public var nonceCount: UInt32? { nc.flatMap(Self.nonceCount) }

    private static func nonceCount(_ text: String) -> UInt32? {
        guard text.utf8.count == 8, isHexadecimal(text) else { return nil }
        return UInt32(text, radix: 16)
    }

    /// The value of an Authorization field that sends them.
    public var fieldValue: String {
        let quoted = [
            ("username", userName), ("realm", realm), ("nonce", nonce), ("uri", uri),
            ("response", response), ("cnonce", cnonce), ("opaque", opaque),
        ]
        // RFC 7616 §3.4: these are not quoted by a client.
        let plain = [
            ("algorithm", algorithm), ("qop", qop), ("nc", nc),
            ("userhash", isUserHashed ? "true" : nil),
        ]
        let parameters =
            quoted.compactMap { name, value in value.map { Challenge.Parameter(name, $0) } }
            + plain.compactMap { name, value in
                value.map { Challenge.Parameter(name, $0, isQuoted: false) }
            }
        return Challenge(scheme: "Digest", parameters: parameters).description
    }

    private static func isHexadecimal(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { ASCII.hexValue($0) != nil }
    }

    /// The text of an extended value (RFC 8187 §3.2.1), which has to be UTF-8.
    private static func decodeExtended(_ value: String) -> String? {
        let parts = value.utf8.split(
            separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, String(Substring(parts[0])).lowercasedASCII == "utf-8" else {
            return nil
        }
        // RFC 7616 §3.4: no control characters in either form.
        guard let text = PercentEncoding.decodeText(Substring(parts[2])),
            text.utf8.allSatisfy({ $0 >= ASCII.space && $0 != ASCII.delete })
        else { return nil }
        return text
    }
}

extension DigestCredentials {
    /// What is hashed to H(A1): the secret that a server may keep in the place of a password.
    package static func a1(userName: String, realm: String, password: String) -> [UInt8] {
        Array((userName + ":" + realm + ":" + password).utf8)
    }

    /// What is hashed to H(A2) for `qop=auth` (RFC 7616 §3.4.3).
    package static func a2(method: HTTPRequest.Method, uri: String) -> [UInt8] {
        Array((method.rawValue + ":" + uri).utf8)
    }

    /// What is hashed to the proof; both hashes in hexadecimal digits (RFC 7616 §3.4.1).
    ///
    /// `nil` when a part of it is missing that `qop=auth` needs.
    package func responseInput(hashA1: String, hashA2: String) -> [UInt8]? {
        guard let nc, let cnonce, let qop else { return nil }
        return Array([hashA1, nonce, nc, cnonce, qop, hashA2].joined(separator: ":").utf8)
    }
}
