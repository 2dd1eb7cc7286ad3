import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `Pages of other sites` {
    private static let site = "https://app.example"

    private func withServer<R>(
        _ options: CORS.Options?, _ body: (TestServer) async throws -> R
    ) async throws -> R {
        var users = UserList(realm: "Test")
        try users.add("u", password: "p")
        let authentication = Authentication(BasicAuthentication(users: users))
        return try await WharfServerTests.withServer(
            routes: { router in
                if let options { router.use(CORS(options)) }
                router.group("", authentication) { group in
                    group.put("/secret", on: .loop) { _ in .text("secret") }
                }
                router.get("/", on: .loop) { _ in
                    Response(fields: [.vary: "Accept"], body: .string("ok"))
                }
                router.get(
                    "/inline",
                    .inline { _ in Response(fields: [.vary: "Accept"], body: .string("ok")) })
                router.get(
                    "/inline/fault", .inline { _ in throw HTTPError(.conflict) })
                router.get("/fault", on: .pool) { _ in
                    throw HTTPError(.conflict, fields: [.eTag: "x"])
                }
                router.get("/crash", on: .pool) { request in
                    _ = try request.parameters.require("none")
                    throw CancellationError()
                }
            }, body)
    }

    private func options(credentials: Bool = false) -> CORS.Options {
        var options = CORS.Options(sites: .these(["https://APP.example:443", "http://b"]))
        options.allowsCredentials = credentials
        return options
    }

    private func ask(
        _ server: TestServer, _ line: String, from site: String? = site, _ fields: String...
    ) async throws -> WireResponse {
        try await server.exchange(
            request(line, (site.map { ["Origin: \($0)"] } ?? []) + fields))
    }

    @Test func `may read nothing unless they are let in`() async throws {
        try await withServer(nil) { server in
            let response = try await ask(server, "GET /")
            #expect(!response.lines.contains { $0.lowercased().hasPrefix("access-control") })
            #expect(response["vary"] == "Accept")
        }
    }

    @Test func `may read answers and errors where they are let in`() async throws {
        try await withServer(options()) { server in
            for (path, status) in [
                ("/", 200), ("/fault", 409), ("/none", 404), ("/crash", 500), ("/inline", 200),
                ("/inline/fault", 409),
            ] {
                let response = try await ask(server, "GET \(path)")
                #expect(response.status == status)
                #expect(response["access-control-allow-origin"] == Self.site)
                #expect(response["access-control-allow-credentials"] == nil)
                #expect(response["access-control-expose-headers"]?.contains("ETag") ?? false)
                #expect(response["vary"] == "Accept, Origin")
                let other = try await ask(server, "GET \(path)", from: "https://evil.example")
                #expect(other["access-control-allow-origin"] == nil)
                #expect(other["vary"] == response["vary"])
                // Without an origin the answer differs too: a cache has to know.
                let none = try await ask(server, "GET \(path)", from: nil)
                #expect(none["access-control-allow-origin"] == nil)
                #expect(none["vary"] == response["vary"])
            }
            #expect(try await ask(server, "GET /fault")["etag"] == "x")
        }
    }

    @Test func `ask before they write, and need no login for that`() async throws {
        try await withServer(options(credentials: true)) { server in
            let question = [
                "Access-Control-Request-Method: PUT",
                "Access-Control-Request-Headers: authorization,x-a",
            ]
            let answer = try await ask(
                server, "OPTIONS /secret", from: Self.site, question[0], question[1],
                "Access-Control-Request-Private-Network: true")
            #expect(answer.status == 204)
            #expect(answer["access-control-allow-origin"] == Self.site)
            #expect(answer["access-control-allow-credentials"] == "true")
            #expect(answer["access-control-allow-methods"]?.contains("PUT") ?? false)
            #expect(answer["access-control-allow-headers"] == "authorization,x-a")
            #expect(answer["access-control-max-age"] == "600")
            #expect(answer["access-control-allow-private-network"] == nil)
            #expect(answer["vary"]?.hasPrefix("Origin, ") ?? false)
            let refused = try await ask(
                server, "OPTIONS /secret", from: "https://evil.example", question[0])
            #expect(refused["access-control-allow-origin"] == nil)
            #expect(refused["access-control-allow-methods"] == nil)
            let put = try await ask(server, "PUT /secret")
            #expect(put.status == 401)
            #expect(put["access-control-allow-origin"] == Self.site)
        }
    }

    @Test func `get no credentials where all may come`() async throws {
        var options = CORS.Options(sites: .any)
        options.allowsCredentials = true
        options.methods = [.get]
        options.requestFields = [.range]
        options.exposedFields = []
        options.allowsPrivateNetwork = true
        try await withServer(options) { server in
            let response = try await ask(server, "GET /", from: "null")
            #expect(response["access-control-allow-origin"] == "*")
            #expect(response["access-control-allow-credentials"] == nil)
            #expect(response["access-control-expose-headers"] == nil)
            #expect(response["vary"] == "Accept")
            let answer = try await ask(
                server, "OPTIONS /", from: Self.site, "Access-Control-Request-Method: GET",
                "Access-Control-Request-Private-Network: true")
            #expect(answer["access-control-allow-origin"] == "*")
            #expect(answer["access-control-allow-credentials"] == nil)
            #expect(answer["access-control-allow-methods"] == "GET")
            #expect(answer["access-control-allow-headers"] == "Range")
            #expect(answer["access-control-allow-private-network"] == "true")
        }
    }

    @Test(arguments: ["null", "https://app.example.evil", "http://app.example", "app.example"])
    func `are others if their origin is another`(_ origin: String) async throws {
        try await withServer(options()) { server in
            let response = try await ask(server, "GET /", from: origin)
            #expect(response["access-control-allow-origin"] == nil)
        }
    }

    @Test func `are nobody's if two origins are named`() async throws {
        try await withServer(options()) { server in
            let response = try await ask(server, "GET /", from: Self.site, "Origin: \(Self.site)")
            #expect(response["access-control-allow-origin"] == nil)
        }
    }

    @Test func `are answered behind a middleware that may wait, too`() async throws {
        struct Passing: HTTPMiddleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                try await next(request)
            }
        }
        try await WharfServerTests.withServer { router in
            router.use(Passing())
            router.use(CORS(options()))
            router.on(.put, "/", .inline { _ in .text("ok") })
        } _: { server in
            let answer = try await ask(
                server, "OPTIONS /", from: Self.site, "Access-Control-Request-Method: PUT")
            #expect(answer.status == 204)
            #expect(answer["access-control-allow-methods"]?.contains("PUT") ?? false)
        }
    }
}
