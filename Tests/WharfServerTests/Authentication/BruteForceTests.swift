import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `Who guesses passwords` {
    private static func limited(_ perAddress: Int, _ perUser: Int) -> Authentication.Options {
        var options = Authentication.Options()
        options.failuresPerAddressMax = perAddress
        options.failuresPerUserMax = perUser
        options.failureWindow = .seconds(3600)
        return options
    }

    private static func both(_ users: UserList) -> [any Authenticator] {
        [DigestAuthentication(users: users), BasicAuthentication(users: users)]
    }

    @Test func `is told to wait`() async throws {
        let options = Self.limited(3, 100)
        try await withGuardedServer(Self.both, options: options) { server in
            let client = try await server.connect()
            // Somebody who was right before is not kept out.
            #expect(try await client.exchange(request("GET /", [basic("r", "p")])).status == 200)
            for _ in 0..<3 {
                let wrong = try await client.exchange(request("GET /", [basic("u", "x")]))
                #expect(wrong.status == 401)
            }
            let refused = try await client.exchange(request("GET /", [basic("u", "p")]))
            #expect(refused.status == 429)
            let seconds = Int(refused["Retry-After"] ?? "") ?? 0
            #expect((1100...1200).contains(seconds))
            #expect(refused["WWW-Authenticate"] == nil)
            #expect(try await client.exchange(request("GET /", [basic("r", "p")])).status == 200)
            // A question without an answer is no guess.
            #expect(try await client.exchange(request("GET /")).status == 401)
        }
    }

    @Test func `is counted by the name`() async throws {
        try await withGuardedServer(Self.both, options: Self.limited(100, 2)) { server in
            for name in ["u", "nobody"] {
                for _ in 0..<2 {
                    let wrong = try await server.exchange(request("GET /", [basic(name, "x")]))
                    #expect(wrong.status == 401)
                }
                let refused = try await server.exchange(request("GET /", [basic(name, "p")]))
                #expect(refused.status == 429)
            }
            #expect(try await server.exchange(request("GET /", [basic("r", "p")])).status == 200)
        }
    }

    @Test func `is counted with Digest, too`() async throws {
        try await withGuardedServer(Self.both, options: Self.limited(2, 100)) { server in
            var login = try DigestClient(try await server.exchange(request("GET /")))
            let stale = try login.field("GET", "/")
            #expect(try await server.exchange(request("GET /", [stale])).status == 200)
            // Right, but used before: no guess.
            for _ in 0..<5 {
                #expect(try await server.exchange(request("GET /", [stale])).status == 401)
            }
            login.password = "x"
            for status in [401, 401, 429, 429] {
                let field = try login.field("GET", "/")
                #expect(try await server.exchange(request("GET /", [field])).status == status)
            }
        }
    }

    @Test func `can't try more at once`() async throws {
        var users = UserList(realm: "test")
        try users.add("slow", hash: .pbkdf2("p", iterationCount: 20_000))
        let authentication = Authentication(
            BasicAuthentication(users: users), options: Self.limited(3, 100))
        try await withServer { router in
            router.use(authentication)
            router.get("/", on: .loop) { _ in .text("in") }
        } _: { server in
            let statuses = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        try await server.exchange(
                            request("GET /", [basic("slow", "x\(number)")])
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Two hash at a time, so one more may have begun when the last failure was counted.
            let wrongCount = statuses.count { $0 == 401 }
            #expect((3...4).contains(wrongCount))
            #expect(statuses.count { $0 == 429 } == 20 - wrongCount)
        }
    }

    @Test func `pays for one hash when the same is sent on many connections`() async throws {
        let calls = Note(0)
        try await withGuardedServer {
            [Counting(inner: .init(users: $0), calls: calls)]
        } _: { server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        let response = try await server.exchange(
                            request("GET /", [basic("u", "p")]))
                        #expect(response.status == 200)
                    }
                }
                try await group.waitForAll()
            }
            // Two may begin before either has ended.
            #expect((1...2).contains(calls.value))
            #expect(try await server.exchange(request("GET /", [basic("u", "x")])).status == 401)
            #expect(try await server.exchange(request("GET /", [basic("u", "x")])).status == 401)
            #expect((3...4).contains(calls.value))
        }
    }

    /// Basic, with a count of how often a password is hashed.
    private struct Counting: Authenticator {
        let inner: BasicAuthentication
        let calls: Note<Int>
        var takesLong: Bool { inner.takesLong }

        func challenges(to request: Request, isStale: Bool) -> [Challenge] {
            inner.challenges(to: request, isStale: isStale)
        }

        func authenticate(_ authorization: Authorization, _ request: Request) async throws
            -> AuthenticationOutcome
        {
            calls.update { $0 += 1 }
            return try await inner.authenticate(authorization, request)
        }
    }
}
