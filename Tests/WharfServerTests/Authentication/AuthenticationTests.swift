import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A guarded server` {
    private static func both(_ users: UserList) -> [any Authenticator] {
        [DigestAuthentication(users: users), BasicAuthentication(users: users)]
    }

    private static func basicOnly(_ users: UserList) -> [any Authenticator] {
        [BasicAuthentication(users: users)]
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND", "TRACE"])
    func `asks for a login`(_ method: String) async throws {
        try await withGuardedServer(Self.both) { server in
            let response = try await server.exchange(request("\(method) /"))
            #expect(response.status == 401)
            let challenges = response["WWW-Authenticate"]?.split(separator: "|") ?? []
            #expect(challenges.count == 2)
            #expect(
                challenges[0].hasPrefix("Digest realm=\"test\", qop=\"auth\", algorithm=SHA-256"))
            #expect(challenges[1] == "Basic realm=\"test\", charset=\"UTF-8\"")
            // Nothing is wrong yet, and so nothing is logged.
            #expect(server.log.lines.isEmpty)
        }
    }

    @Test func `guards what the router answers itself`() async throws {
        try await withGuardedServer(Self.basicOnly) { server in
            let refused = try await server.exchange(request("GET /none"))
            #expect(refused.status == 401)
            let answered = try await server.exchange(request("GET /none", [basic("u", "p")]))
            #expect(answered.status == 404)
        }
    }

    @Test(
        arguments: [
            (basic("u", "p"), 200), (basic("r", "p"), 200), (basic("u", "P"), 401),
            (basic("u", "p "), 401), (basic("u", ""), 401), (basic("U", "p"), 401),
            (basic("x", "p"), 401), (basic("", ""), 401), (basic("", "p"), 401),
            ("Authorization: Basic", 401), ("Authorization: Basic !!!!", 401),
            ("Authorization: x", 401),
            ("Authorization:", 401), ("Authorization: Basic dQ==", 401),
            ("Authorization: Bearer abc", 401), ("Proxy-\(basic("u", "p"))", 401),
            ("\(basic("u", "p"))\r\n\(basic("u", "p"))", 401),
            ("\(basic("x", "p"))\r\n\(basic("u", "p"))", 401),
        ] as [(String, Int)])
    func `knows passwords`(_ field: String, _ status: Int) async throws {
        try await withGuardedServer(Self.basicOnly) { server in
            let response = try await server.exchange(request("GET /", [field]))
            #expect(response.status == status)
            #expect((response["WWW-Authenticate"] == nil) == (status == 200))
            #expect(!server.log.lines.contains { $0.contains("Basic ") })
        }
    }

    @Test func `forgets who was let in when the list changes`() async throws {
        var (before, after) = (UserList(realm: "test"), UserList(realm: "test"))
        try before.add("u", password: "old")
        try after.add("u", password: "new")
        let guardian = Authentication(BasicAuthentication(users: before))
        try await withServer(routes: { router in
            router.use(guardian)
            router.get("/") { .text($0.user?.name ?? "") }
        }) { server in
            func statuses() async throws -> [Int] {
                var statuses: [Int] = []
                for password in ["old", "old", "new", "new"] {
                    let field = basic("u", password)
                    statuses.append(try await server.exchange(request("GET /", [field])).status)
                }
                return statuses
            }
            let then = try await statuses()
            #expect(then == [200, 200, 401, 401])
            guardian.replace(with: [BasicAuthentication(users: after)])
            let now = try await statuses()
            #expect(now == [401, 401, 200, 200])
        }
    }

    @Test func `says who asks`() async throws {
        try await withGuardedServer(Self.basicOnly) { server in
            let client = try await server.connect()
            for _ in 0..<3 {
                #expect(
                    try await client.exchange(request("GET /", [basic("r", "p")])).text
                        == "r reader ")
                let post = request(
                    "POST /", [basic("u", "p"), "Content-Length: 3"], body: "abc")
                #expect(try await client.exchange(post).text == "u writer abc")
            }
        }
    }

    @Test(arguments: [
        ("GET", 200), ("HEAD", 200), ("OPTIONS", 200), ("PROPFIND", 200), ("POST", 403),
        ("PUT", 403), ("DELETE", 403), ("PATCH", 403), ("LOCK", 403), ("MOVE", 403), ("BREW", 403),
    ])
    func `lets readers read`(_ method: String, _ status: Int) async throws {
        let line = "\(method) /"
        try await withGuardedServer(Self.basicOnly) { server in
            let response = try await server.exchange(request(line, [basic("r", "p")]))
            #expect(response.status == status)
            #expect(try await server.exchange(request(line, [basic("u", "p")])).status == 200)
        }
        var options = Authentication.Options()
        options.enforcesAccess = false
        try await withGuardedServer(Self.basicOnly, options: options) { server in
            let response = try await server.exchange(request(line, [basic("r", "p")]))
            #expect(response.status == 200)
        }
    }

    @Test(arguments: [
        ("GET", 200), ("HEAD", 200), ("OPTIONS", 200), ("PROPFIND", 200), ("POST", 401),
        ("PUT", 401), ("DELETE", 401), ("MKCOL", 401), ("REPORT", 401), ("BREW", 401),
    ])
    func `may be public for reading`(_ method: String, _ status: Int) async throws {
        var options = Authentication.Options()
        options.isReadingPublic = true
        try await withGuardedServer(Self.basicOnly, options: options) { server in
            let line = "\(method) /"
            let response = try await server.exchange(request(line))
            #expect(response.status == status)
            if method == "GET" { #expect(response.text == "nobody ") }
            #expect(try await server.exchange(request(line, [basic("u", "x")])).status == 401)
            #expect(try await server.exchange(request(line, [basic("u", "p")])).status == 200)
        }
    }

    @Test func `may be public for what can be asked`() async throws {
        var options = Authentication.Options()
        options.isOptionsPublic = true
        try await withGuardedServer(Self.basicOnly, options: options) { server in
            for (line, fields, status) in [
                ("OPTIONS /", [], 200), ("GET /", [], 401),
                ("OPTIONS /", [basic("u", "x")], 401),
            ] {
                let answer = try await server.exchange(request(line, fields))
                #expect(answer.status == status)
            }
        }
    }

    @Test(arguments: [true, false])
    func `lets preflights through where it may`(_ isAllowed: Bool) async throws {
        var options = Authentication.Options()
        #expect(options.allowsPreflights)
        options.allowsPreflights = isAllowed
        try await withGuardedServer(Self.basicOnly, options: options) { server in
            let origin = "Origin: https://a.example"
            let method = "Access-Control-Request-Method: PUT"
            let status = try await server.exchange(request("OPTIONS /", [origin, method])).status
            #expect(status == (isAllowed ? 200 : 401))
            for (line, fields) in [
                ("OPTIONS /", [origin]), ("OPTIONS /", [method]), ("GET /", [origin, method]),
            ] {
                #expect(try await server.exchange(request(line, fields)).status == 401)
            }
        }
    }

    @Test(arguments: ["", basic("u", "x"), "Authorization: Digest x"])
    func `refuses before the body is asked for`(_ field: String) async throws {
        try await withGuardedServer(Self.both) { server in
            let client = try await server.connect()
            let fields =
                ["Expect: 100-continue", "Content-Length: 5"] + (field.isEmpty ? [] : [field])
            let response = try await client.exchange(request("POST /", fields))
            #expect(response.status == 401)
            #expect(response["Connection"] == "close")
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test func `asks for the body of those it lets in`() async throws {
        try await withGuardedServer(Self.both) { server in
            let client = try await server.connect()
            let fields = ["Expect: 100-continue", "Content-Length: 5", basic("u", "p")]
            #expect(try await client.exchange(request("POST /", fields)).status == 100)
            #expect(try await client.exchange("hello").text == "u writer hello")
        }
    }

    @Test func `goes on with a connection after a refusal`() async throws {
        try await withGuardedServer(Self.basicOnly) { server in
            let client = try await server.connect()
            let refused = request("POST /", ["Content-Length: 5"], body: "hello")
            #expect(try await client.exchange(refused).status == 401)
            #expect(try await client.exchange(request("GET /", [basic("u", "p")])).status == 200)
        }
    }

    @Test func `lets an own authenticator in`() async throws {
        struct Token: Authenticator {
            func challenges(to request: Request, isStale: Bool) -> [Challenge] {
                [Challenge(scheme: "Bearer", parameters: [])]
            }
            func authenticate(_ authorization: Authorization, _ request: Request) async throws
                -> AuthenticationOutcome
            {
                guard case .other("bearer", let token) = authorization else { return .notMine }
                return token == "t" ? .accepted(AuthenticatedUser(name: "token")) : .refused
            }
        }
        try await withGuardedServer {
            [BasicAuthentication(users: $0), Token()]
        } _: { server in
            let right = try await server.exchange(request("GET /", ["Authorization: bearer t"]))
            #expect(right.text == "token writer ")
            let wrong = try await server.exchange(request("GET /", ["Authorization: Bearer x"]))
            #expect(wrong["WWW-Authenticate"] == "Basic realm=\"test\", charset=\"UTF-8\"|Bearer")
            #expect(try await server.exchange(request("GET /", [basic("u", "p")])).status == 200)
        }
    }
}
