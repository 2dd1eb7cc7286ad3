import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `Middlewares that decide in place` {
    private struct Passing: HTTPMiddleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            try await next(request)
        }
    }

    private static let login = ["Authorization: Basic dTpw"]

    private func authentication() throws -> Authentication {
        var users = UserList(realm: "Test")
        try users.add("u", password: "p")
        return Authentication(BasicAuthentication(users: users))
    }

    private func router(_ authentication: Authentication) -> Router {
        let router = Router()
        router.get("/open", .inline { _ in .text("open") })
        router.group("/guarded", Protection(), CORS(.init(sites: .any)), authentication) { group in
            group.on(nil, "", .inline { .text($0.user?.name ?? "nobody") })
            group.get("/loop", on: .loop) { _ in .text("loop") }
        }
        router.group("/passing", Passing(), authentication) { group in
            group.get("", .inline { _ in .text("passed") })
        }
        return router
    }

    /// What is answered in place: a status, or `nil`.
    private func answerAtOnce(
        _ router: Router, _ line: String, _ fields: [String] = [], host: String = "localhost"
    ) throws -> Int? {
        let lines = [line + " HTTP/1.1", "Host: \(host)"] + fields
        var request = try Request.parsed(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        let found = router.table.find(request.head)
        request.parameters = found.parameters
        do {
            return try found.route.respondAtOnce(to: request, nil)?.status.code
        } catch {
            let error = (error as? ErrorWithFields)?.error ?? error
            return try #require(error as? HTTPError).status.code
        }
    }

    @Test func `make no answer wait but for a password that is not known yet`() async throws {
        let authentication = try authentication()
        let router = router(authentication)
        #expect(try answerAtOnce(router, "GET /guarded", Self.login) == nil)
        #expect(try answerAtOnce(router, "GET /guarded") == 401)
        #expect(try answerAtOnce(router, "GET /guarded", host: "evil.example") == 421)
        _ = try await authentication.authenticate(
            .parsed("GET / HTTP/1.1\r\nHost: a\r\n\(Self.login[0])\r\n\r\n"))
        #expect(try answerAtOnce(router, "GET /guarded", Self.login) == 200)
        #expect(try answerAtOnce(router, "GET /guarded/loop", Self.login) == nil)
        #expect(try answerAtOnce(router, "GET /passing", Self.login) == nil)
        let question = ["Origin: http://a", "Access-Control-Request-Method: PUT"]
        #expect(try answerAtOnce(router, "OPTIONS /guarded", question) == 204)
    }

    @Test func `tell who asks of the request alone that they belong to`() async throws {
        let names = Note<[String]>([])
        let authentication = try authentication()
        try await withServer {
            $0.accessLog = AccessLog(format: .common) { line in
                names.update { $0.append(String(line.split(separator: " ")[2])) }
            }
        } routes: { router in
            router.get("/open", .inline { _ in .text("open") })
            router.group("/guarded", authentication) { group in
                group.get("", .inline { .text($0.user?.name ?? "nobody") })
            }
        } _: { server in
            let client = try await server.connect()
            // The second login is known already.
            for _ in 0..<2 {
                let guarded = try await client.exchange(request("GET /guarded", Self.login))
                #expect(guarded.text == "u")
                #expect(try await client.exchange(request("GET /open")).text == "open")
            }
            client.close()
        }
        #expect(names.value == ["u", "-", "u", "-"])
    }
}
