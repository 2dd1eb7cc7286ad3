/// The hash functions and the randomness of a client's logins, from a layer that has them.
package struct ClientHashing: Sendable {
    /// The digest of some bytes.
    package let digest: @Sendable (DigestAlgorithm, [UInt8]) -> [UInt8]
    /// So many bytes that nobody can guess.
    package let random: @Sendable (Int) -> [UInt8]

    package init(
        digest: @escaping @Sendable (DigestAlgorithm, [UInt8]) -> [UInt8],
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.digest = digest
        self.random = random
    }
}

/// What a client knows of one place that asks for a login: a server, or a proxy (RFC 9110 §11).
///
/// It remembers what was asked, and answers it in later requests before it is asked again.
package struct ClientAuthenticator: Sendable {
    /// What was sent with a request.
    package enum Sent: Sendable, Hashable {
        case nothing
        case basic
        /// With this nonce.
        case digest(nonce: String)
    }

    private enum Learned: Sendable {
        case basic
        case digest(DigestChallenge)
    }

    /// What it logs in with.
    package let credentials: ClientCredentials
    private var learned: Learned?
    private var nonceCount: UInt32 = 0

    package init(_ credentials: ClientCredentials) {
        self.credentials = credentials
        if credentials.isPreemptive, credentials.schemes.contains(.basic) { learned = .basic }
    }

    /// The value of the field to send with a request, and what kind it is.
    package mutating func value(
        _ method: HTTPRequest.Method, uri: String, _ hashing: ClientHashing
    ) -> (value: String?, sent: Sent) {
        switch learned {
        case nil: return (nil, .nothing)
        case .basic: return (credentials.basicValue, .basic)
        case .digest(let challenge):
            nonceCount &+= 1
            let value = challenge.answer(
                credentials, method, uri: uri, count: nonceCount, hashing)
            return (value, .digest(nonce: challenge.nonce))
        }
    }

    /// Takes the challenges of an answer: whether sending the request again may help.
    package mutating func take(_ lines: [String], after sent: Sent) -> Bool {
        let challenges = lines.prefix(Challenge.countMax).flatMap { Challenge.parse($0) }
        let digests = challenges.compactMap { DigestChallenge($0) }
        // RFC 7616 §3.7: the strongest that is understood.
        let best =
            digests.first { $0.algorithm == .sha256 } ?? digests.first
        if credentials.schemes.contains(.digest), let best {
            // The proof was refused, and not for the age of its nonce: the password is wrong.
            if case .digest(let nonce) = sent, !best.isStale || nonce == best.nonce {
                learned = nil
                return false
            }
            learned = .digest(best)
            nonceCount = 0
            return true
        }
        let offersBasic = challenges.contains { $0.isFor(scheme: "basic") }
        guard credentials.schemes.contains(.basic), offersBasic, sent != .basic else {
            learned = nil
            return false
        }
        learned = .basic
        return true
    }
}

/// A challenge of Digest that can be answered (RFC 7616 §3.3).
struct DigestChallenge: Sendable {
    let realm: String
    let nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// The name of the algorithm as it was sent.
    let algorithmName: String?
    /// Whether the server knows `qop=auth`; else it is answered in the manner of RFC 2069.
    let hasQop: Bool
    let isStale: Bool

    init?(_ challenge: Challenge) {
        guard challenge.isFor(scheme: "digest"), let realm = challenge.parameter("realm"),
            let nonce = challenge.parameter("nonce")
        else { return nil }
        algorithmName = challenge.parameter("algorithm")
        guard let algorithm = DigestAlgorithm(name: algorithmName ?? "MD5") else { return nil }
        let qop = challenge.parameter("qop")?.utf8.split(separator: ASCII.comma).map {
            String(Substring($0.drop { $0 == ASCII.space })).lowercasedASCII
        }
        // One that wants the body covered (auth-int) can't be answered.
        guard qop?.contains("auth") ?? true else { return nil }
        hasQop = qop != nil
        self.realm = realm
        self.nonce = nonce
        self.algorithm = algorithm
        opaque = challenge.parameter("opaque")
        isStale = challenge.parameter("stale")?.lowercasedASCII == "true"
    }

    /// The value of a field that proves knowledge of the password.
    func answer(
        _ credentials: ClientCredentials, _ method: HTTPRequest.Method, uri: String,
        count: UInt32, _ hashing: ClientHashing
    ) -> String? {
        func hexadecimal(_ bytes: [UInt8]) -> String {
            let digits = hashing.digest(algorithm, bytes).flatMap {
                [Self.digit($0 >> 4), Self.digit($0 & 15)]
            }
            return String(decoding: digits, as: UTF8.self)
        }
        let counter = String(count, radix: 16)
        let clientNonce = hasQop ? Base64.encode(hashing.random(18)) : nil
        let a1 = hexadecimal(
            DigestCredentials.a1(
                userName: credentials.userName, realm: realm, password: credentials.password))
        let a2 = hexadecimal(DigestCredentials.a2(method: method, uri: uri))
        var answer = DigestCredentials(
            userName: credentials.userName, realm: realm, nonce: nonce, uri: uri,
            algorithm: algorithmName, opaque: opaque)
        if hasQop {
            answer.qop = "auth"
            answer.nc = String(repeating: "0", count: 8 - counter.utf8.count) + counter
            answer.cnonce = clientNonce
        }
        let input =
            answer.responseInput(hashA1: a1, hashA2: a2) ?? Array("\(a1):\(nonce):\(a2)".utf8)
        answer.response = hexadecimal(input)
        return answer.fieldValue
    }

    /// RFC 7616 §3.4: digits of proofs are small letters.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero + value : 0x61 + value - 10
    }
}

extension DigestCredentials {
    /// Credentials without a proof yet.
    init(
        userName: String, realm: String, nonce: String, uri: String, algorithm: String?,
        opaque: String?
    ) {
        self.userName = userName
        isUserHashed = false
        self.realm = realm
        self.nonce = nonce
        self.uri = uri
        response = ""
        self.algorithm = algorithm
        self.opaque = opaque
    }
}
