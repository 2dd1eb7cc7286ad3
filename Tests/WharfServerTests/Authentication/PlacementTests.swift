import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A login` {
    private static func authentication() throws -> Authentication {
        var users = UserList(realm: "test")
        try users.add("u", hash: .pbkdf2("p", iterationCount: 10))
        return Authentication(BasicAuthentication(users: users))
    }

    @Test(arguments: [Execution.loop, .pool])
    func `is checked wherever the handler runs`(_ place: Execution) async throws {
        let authentication = try Self.authentication()
        // With a single thread, one that waited for another would wait for ever.
        try await withServer({ $0.poolThreadMax = 1 }) { router in
            router.use(authentication)
            router.get("/", on: place) { .text($0.user?.name ?? "nobody") }
        } _: { server in
            for (password, status) in [("x", 401), ("p", 200), ("p", 200), ("x", 401)] {
                let response = try await server.exchange(request("GET /", [basic("u", password)]))
                #expect(response.status == status)
                if status == 200 { #expect(response.text == "u") }
            }
        }
    }

    @Test func `may be asked for by one handler alone`() async throws {
        let authentication = try Self.authentication()
        try await withServer { router in
            router.get("/open", on: .loop) { .text($0.user?.name ?? "nobody") }
            router.get("/closed", on: .loop) { request in
                .text(try await authentication.authenticate(request).user?.name ?? "nobody")
            }
        } _: { server in
            let open = try await server.exchange(request("GET /open"))
            #expect(open.text == "nobody")
            let refused = try await server.exchange(request("GET /closed"))
            #expect(refused.status == 401)
            #expect(refused["WWW-Authenticate"] != nil)
            let closed = try await server.exchange(request("GET /closed", [basic("u", "p")]))
            #expect(closed.text == "u")
        }
    }
}
