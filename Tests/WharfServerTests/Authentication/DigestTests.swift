import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A Digest login` {
    private static func digest(_ users: UserList) -> [any Authenticator] {
        [DigestAuthentication(users: users)]
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
    func `is for one method`(_ method: String) async throws {
        try await withGuardedServer(Self.digest) { server in
            let client = try await server.connect()
            var login = try DigestClient(try await client.exchange(request("GET /")))
            for target in ["/", "/a?b=c%20d&e"] {
                let field = try login.field(method, target)
                #expect(
                    try await client.exchange(request("\(method) \(target)", [field])).status == 200
                )
            }
            let field = try login.field("PATCH", "/")
            #expect(try await client.exchange(request("\(method) /", [field])).status == 401)
        }
    }

    @Test(arguments: [
        ("/", "/", 200), ("/a?b", "/a?b", 200), ("/a?b", "/a", 400), ("/a", "/A", 400),
        ("/a", "/%61", 400), ("/", "", 400), ("/", "*", 400),
        ("http://test/a", "/a", 200), ("http://test/a", "http://test/a", 200),
        ("/a", "http://test/a", 200), ("/a", "HTTP://TEST/a", 200), ("/", "http://test", 200),
        ("/a", "http://other/a", 400), ("/a", "http://test/b", 400), ("/a", "ftp://test/a", 400),
        ("/?b", "http://test?b", 200), ("http://test", "/", 200),
    ])
    func `is for one target`(_ target: String, _ uri: String, _ status: Int) async throws {
        try await withGuardedServer(Self.digest) { server in
            let client = try await server.connect()
            var login = try DigestClient(try await client.exchange(request("GET /")))
            let field = try login.field("GET", uri)
            #expect(try await client.exchange(request("GET \(target)", [field])).status == status)
        }
    }

    @Test func `is taken once`() async throws {
        try await withGuardedServer(Self.digest) { server in
            let client = try await server.connect()
            var login = try DigestClient(try await client.exchange(request("GET /")))
            let fields = try (0..<3).map { _ in try login.field("GET", "/") }
            for index in [1, 0, 2] {
                #expect(try await client.exchange(request("GET /", [fields[index]])).status == 200)
            }
            for field in fields {
                let replayed = try await server.exchange(request("GET /", [field]))
                #expect(replayed.status == 401)
                #expect(replayed["WWW-Authenticate"]?.hasSuffix("stale=true") == true)
            }
            // The same password, another nonce.
            var again = try DigestClient(try await client.exchange(request("GET /", [fields[0]])))
            let field = try again.field("GET", "/")
            #expect(try await client.exchange(request("GET /", [field])).status == 200)
        }
    }

    @Test func `ends with the lifetime of its nonce`() async throws {
        let authenticators: (UserList) -> [any Authenticator] = {
            [DigestAuthentication(users: $0, nonceLifetime: .zero)]
        }
        try await withGuardedServer(authenticators) { server in
            var login = try DigestClient(try await server.exchange(request("GET /")))
            #expect(login.challenge.parameter("stale") == nil)
            let response = try await server.exchange(
                request("GET /", [try login.field("GET", "/")]))
            #expect(response.status == 401)
            #expect(try DigestClient(response).challenge.parameter("stale") == "true")
            // A wrong password is never just out of date.
            login.password = "x"
            let wrong = try await server.exchange(request("GET /", [try login.field("GET", "/")]))
            #expect(try DigestClient(wrong).challenge.parameter("stale") == nil)
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout DigestCredentials) -> Void
    }

    @Test(
        arguments: [
            Change(testDescription: "another response") {
                $0.response = String($0.response.reversed())
            },
            Change(testDescription: "a short response") {
                $0.response = String($0.response.dropLast(2))
            },
            Change(testDescription: "an odd response") {
                $0.response = String($0.response.dropLast())
            },
            Change(testDescription: "another realm") { $0.realm = "other" },
            Change(testDescription: "another user") { $0.userName = "r" },
            Change(testDescription: "nobody") { $0.userName = "nobody" },
            Change(testDescription: "no name") { $0.userName = "" },
            Change(testDescription: "auth-int") { $0.qop = "auth-int" },
            Change(testDescription: "RFC 2069") { $0.qop = nil },
            Change(testDescription: "no count") { $0.nc = nil },
            Change(testDescription: "another count") { $0.nc = "00000009" },
            Change(testDescription: "no client nonce") { $0.cnonce = nil },
            Change(testDescription: "MD5, which was not offered") { $0.algorithm = "MD5" },
            Change(testDescription: "no algorithm, which is MD5") { $0.algorithm = nil },
            Change(testDescription: "a session") { $0.algorithm = "SHA-256-sess" },
            Change(testDescription: "another nonce") { $0.nonce = "abc" },
            Change(testDescription: "a plain name said to be hashed") { $0.isUserHashed = true },
        ] as [Change])
    func `is refused when it is changed`(_ change: Change) async throws {
        try await withGuardedServer(Self.digest) { server in
            var login = try DigestClient(try await server.exchange(request("GET /")))
            let field = try login.field("GET", "/", change: change.change)
            // A name that is not hashed still leads to its user.
            let isPlainName = change.testDescription.hasPrefix("a plain name")
            let response = try await server.exchange(request("GET /", [field]))
            #expect(response.status == (isPlainName ? 200 : 401))
            #expect(response["WWW-Authenticate"]?.contains("stale") != true)
            let kept = try login.field("GET", "/")
            #expect(try await server.exchange(request("GET /", [kept])).status == 200)
        }
    }

    @Test(arguments: [
        Change(testDescription: "auth-int") { $0.qop = "auth-int" },
        Change(testDescription: "an unknown qop") { $0.qop = "x" },
        Change(testDescription: "MD5, which was not offered") { $0.algorithm = "MD5" },
        Change(testDescription: "a session") { $0.algorithm = "SHA-256-sess" },
        Change(testDescription: "another realm") { $0.realm = "other" },
    ])
    func `is refused where it proves something else`(_ change: Change) async throws {
        try await withGuardedServer(Self.digest) { server in
            var login = try DigestClient(try await server.exchange(request("GET /")))
            let field = try login.field("GET", "/", prepare: change.change)
            let response = try await server.exchange(request("GET /", [field]))
            #expect(response.status == 401)
            #expect(response["WWW-Authenticate"]?.contains("stale") != true)
        }
    }

    @Test(arguments: [0, 1, .max])
    func `is counted from 1`(_ count: UInt32) async throws {
        try await withGuardedServer(Self.digest) { server in
            var login = try DigestClient(try await server.exchange(request("GET /")))
            let digits = String(count, radix: 16)
            let field = try login.field(
                "GET", "/",
                prepare: {
                    $0.nc = String(repeating: "0", count: 8 - digits.count) + digits
                })
            let response = try await server.exchange(request("GET /", [field]))
            #expect(response.status == (count == 0 ? 401 : 200))
        }
    }

    @Test func `takes nothing of nobody's password`() async throws {
        // What a server forgets to look up is easily taken for an empty password.
        var options = Authentication.Options()
        options.failuresPerAddressMax = 100
        try await withGuardedServer(Self.digest, options: options) { server in
            for (name, password) in [("nobody", ""), ("", ""), ("nobody", "p"), ("u", "")] {
                var login = try DigestClient(try await server.exchange(request("GET /")))
                login.userName = name
                login.password = password
                for hashA1 in [nil, "", "nil", "(null)"] {
                    let field = try login.field("GET", "/", hashA1: hashA1)
                    #expect(try await server.exchange(request("GET /", [field])).status == 401)
                }
            }
        }
    }

    @Test func `may hide the name`() async throws {
        try await withGuardedServer(Self.digest) { server in
            var login = try DigestClient(try await server.exchange(request("GET /")))
            let field = try login.field("GET", "/") { credentials in
                credentials.isUserHashed = true
                credentials.userName = DigestAlgorithm.sha256.hexadecimal(of: Array("u:test".utf8))
            }
            #expect(field.contains("userhash=true"))
            #expect(try await server.exchange(request("GET /", [field])).text == "u writer ")
            #expect(login.challenge.parameter("userhash") == nil)
        }
    }

    @Test func `is made with MD5 where that is wanted`() async throws {
        let authenticators: (UserList) -> [any Authenticator] = {
            [DigestAuthentication(users: $0, algorithms: [.sha256, .md5])]
        }
        try await withGuardedServer(authenticators) { server in
            let refusal = try await server.exchange(request("GET /"))
            let values = refusal["WWW-Authenticate"]?.split(separator: "|") ?? []
            #expect(values.count == 2)
            #expect(values[0].contains("algorithm=SHA-256") && values[1].contains("algorithm=MD5"))
            for value in values {
                var login = try DigestClient(refusal)
                login.challenge = Challenge.parse(String(value))[0]
                let field = try login.field("GET", "/") {
                    if $0.algorithm == "MD5" { $0.algorithm = nil }
                }
                let response = try await server.exchange(request("GET /", [field]))
                // Both challenges have one nonce: its first count is used up by the first.
                #expect(response.status == (value == values[0] ? 200 : 401))
            }
        }
    }
}
