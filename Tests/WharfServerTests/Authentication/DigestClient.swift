import Testing
import WharfCrypto
import WharfHTTP
@testable import WharfServer

/// Answers Digest challenges as RFC 7616 §3.4 says, and otherwise where a test wants it.
struct DigestClient {
    var userName = "u"
    var password = "p"
    var challenge: Challenge
    var count: UInt32 = 0

    /// Takes up a challenge of an answer; the first for Digest.
    init(_ response: WireResponse) throws {
        let values = (response["WWW-Authenticate"] ?? "").split(separator: "|")
        challenge = try #require(
            values.flatMap { Challenge.parse(String($0)) }.first { $0.isFor(scheme: "Digest") })
    }

    /// The field line of the next request.
    ///
    /// `prepare` changes what the proof is made of, `change` what is sent; `hashA1` stands for a
    /// password.
    mutating func field(
        _ method: String, _ uri: String, hashA1: String? = nil,
        prepare: (inout DigestCredentials) -> Void = { _ in },
        change: (inout DigestCredentials) -> Void = { _ in }
    ) throws -> String {
        count += 1
        let algorithm = try #require(DigestAlgorithm(name: challenge.parameter("algorithm") ?? ""))
        let realm = try #require(challenge.parameter("realm"))
        let nonce = try #require(challenge.parameter("nonce"))
        let digits = String(count, radix: 16)
        let nc = String(repeating: "0", count: 8 - digits.count) + digits
        var credentials = try #require(
            DigestCredentials(
                parameters: """
                    username="\(userName)", realm="\(realm)", nonce="\(nonce)", uri="\(uri)", \
                    response=00, nc=\(nc), cnonce="c", qop=auth, algorithm=\(algorithm.rawValue)
                    """.utf8))
        prepare(&credentials)
        let hash = credentials.algorithm.flatMap { DigestAlgorithm(name: $0) } ?? algorithm
        let a1 = DigestCredentials.a1(userName: userName, realm: realm, password: password)
        let a2 = Array("\(method):\(uri)".utf8)
        let input = try #require(
            credentials.responseInput(
                hashA1: hashA1 ?? hash.hexadecimal(of: a1), hashA2: hash.hexadecimal(of: a2)))
        credentials.response = hash.hexadecimal(of: input)
        change(&credentials)
        return "Authorization: " + credentials.fieldValue
    }
}

/// A server whose every path needs a login; `u` may write, `r` may read, the password is `p`.
func withGuardedServer<R>(
    _ authenticators: (UserList) -> [any Authenticator],
    options: Authentication.Options = .init(),
    _ body: (TestServer) async throws -> R
) async throws -> R {
    var users = UserList(realm: "test")
    try users.add("u", password: "p")
    try users.add("r", password: "p", access: .reader)
    let authentication = Authentication(authenticators(users), options: options)
    return try await withServer { router in
        router.use(authentication)
        for path in ["/", "/a"] {
            router.on(nil, path, on: .loop) { request in
                let name = request.user.map { "\($0.name) \($0.access)" } ?? "nobody"
                let body = try await request.body.collect(upTo: 100)
                return .text(name + " " + String(decoding: body, as: UTF8.self))
            }
        }
    } _: {
        try await body($0)
    }
}

/// The field line of Basic.
func basic(_ name: String, _ password: String) -> String {
    "Authorization: Basic " + Base64.encode(Array("\(name):\(password)".utf8))
}
