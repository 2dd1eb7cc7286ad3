import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A parameter` {
    private enum Size: String { case small, large }
    private enum Level: Int { case low = 1, high }

    private static func add(to router: Router) {
        router.get("/text/{x}", on: .loop) { .text(try $0.parameters.require("x")) }
        router.get("/int/{x}", on: .loop) { request in
            .text("\(try request.parameters.require("x", as: Int.self) + 1)")
        }
        router.get("/inferred/{x}", on: .loop) { request in
            let number: UInt8 = try request.parameters.require("x")
            return .text("\(number)")
        }
        router.get("/size/{x}", on: .loop) { request in
            .text("\(try request.parameters.require("x", as: Size.self))")
        }
        router.get("/level/{x}", on: .loop) { request in
            .text("\(try request.parameters.require("x", as: Level.self))")
        }
        router.get("/method/{x}", on: .loop) { request in
            .text("\(try request.parameters.require("x", as: HTTPRequest.Method.self))")
        }
        router.get("/missing/{x}", on: .loop) { .text(try $0.parameters.require("y")) }
        router.get("/part/{x}.json", on: .loop) { .text(try $0.parameters.require("x")) }
        router.get("/part/v{x}", on: .loop) { .text("v " + (try $0.parameters.require("x"))) }
        router.get("/rest/{x...}", on: .loop) { .text("rest " + (try $0.parameters.require("x"))) }
    }

    @Test(arguments: [
        ("/text/a", "a"), ("/text/a%20b+c", "a b+c"), ("/text/%2541", "%41"), ("/text/..", "400"),
        ("/text/a%2Fb", "a/b"), ("/text/%2e%2E", "400"), ("/text/%E4", "\u{FFFD}"),
        ("/int/41", "42"), ("/int/-1", "0"), ("/inferred/255", "255"), ("/size/large", "large"),
        ("/level/2", "high"), ("/method/PUT", "PUT"), ("/part/a.json", "a"),
        ("/part/a.b.json", "a.b"), ("/part/v1", "v 1"), ("/part/v1.json", "v1"),
        ("/part/%61.%6Ason", "a"), ("/part/.json", "404"), ("/part/v", "404"), ("/part/x", "404"),
        ("/rest/", "rest "), ("/rest", "rest "), ("/rest/a//b/", "rest a//b/"),
        ("/text/%zz", "400"), ("/rest/a/%", "400"), ("/text/", "404"),
    ])
    func `is what stands in the path, decoded once`(_ path: String, _ answer: String) async throws {
        try await expectAnswers([("GET \(path)", answer)], routes: Self.add)
    }

    @Test(arguments: [
        ("/int/x", 400, "the parameter x is no Int: \"x\""),
        ("/int/99999999999999999999", 400, "no Int"), ("/int/1%0A2", 400, "\"1\\x0a2\""),
        ("/inferred/256", 400, "no UInt8"), ("/size/medium", 400, "no Size: \"medium\""),
        ("/level/3", 400, "no Level"), ("/level/x", 400, "no Level"),
        ("/method/a%20b", 400, "no Method"), ("/missing/x", 500, "no parameter y"),
    ])
    func `that can't be read is refused, with the reason in the log alone`(
        _ path: String, _ status: Int, _ reason: String
    ) async throws {
        try await withServer(routes: Self.add) { server in
            let response = try await server.exchange(request("GET \(path)"))
            #expect(response.status == status)
            #expect(!response.text.contains("param"))
            #expect(server.log.lines.contains { $0.contains(reason) }, "\(server.log.lines)")
        }
    }

    @Test func `is known to middlewares, and what they leave to the handler`() async throws {
        enum Owner: RequestKey { typealias Value = String }
        enum Number: RequestKey { typealias Value = Int }
        enum Other: RequestKey { typealias Value = Int }
        struct Owning: HTTPMiddleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                var request = request
                request[Owner.self] = "owner of \(try request.parameters.require("id"))"
                request[Number.self] = 7
                request[Other.self] = 8
                request[Other.self] = nil
                return try await next(request)
            }
        }
        try await expectAnswers([("GET /a/1", "owner of 1, 7, nil"), ("GET /b/1", "nil")]) {
            router in
            router.group("/a", Owning()) { group in
                group.get("/{id}") { request in
                    let owner: String = try #require(request[Owner.self])
                    let number: Int = try #require(request[Number.self])
                    return .text(
                        "\(owner), \(number), \(request[Other.self]?.description ?? "nil")")
                }
            }
            router.get("/b/{id}", on: .loop) { .text($0[Owner.self] ?? "nil") }
        }
    }
}
