import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A group of routes` {
    private enum Trail: RequestKey { typealias Value = [String] }

    /// Leaves its name on the way in.
    private struct Marking: HTTPMiddleware {
        let name: String

        func respond(to request: Request, next: Next) async throws -> Response {
            var request = request
            request[Trail.self] = (request[Trail.self] ?? []) + [name]
            return try await next(request)
        }
    }

    /// Answers with the names of the middlewares that were passed, and a text behind.
    private static func trail(_ text: String = "") -> @Sendable (Request) -> Response {
        { .text(($0[Trail.self] ?? []).joined(separator: " ") + text) }
    }

    @Test func `puts its middlewares inside those of the router`() async throws {
        let show = Self.trail()
        try await expectAnswers([
            ("GET /early", ""), ("GET /top", "top"), ("GET /g/a", "top g1 g2"),
            ("GET /g/late", "top g1 g2 used"), ("GET /g/in/a", "top g1 g2 used in"),
            ("GET /g/after", "top g1 g2 used"), ("GET /other/a", "top other"),
            ("GET /last", "top end"),
        ]) { router in
            router.get("/early", on: .loop) { show($0) }
            router.use(Marking(name: "top"))
            router.get("/top", on: .loop) { show($0) }
            router.group("/g", Marking(name: "g1"), Marking(name: "g2")) { group in
                group.get("/a", on: .loop) { show($0) }
                group.use(Marking(name: "used"))
                group.get("/late", on: .loop) { show($0) }
                group.group("/in", Marking(name: "in")) { inner in
                    inner.get("/a", on: .loop) { show($0) }
                }
                group.get("/after", on: .loop) { show($0) }
            }
            router.group("/other", Marking(name: "other")) { $0.get("/a", .inline { show($0) }) }
            router.use(Marking(name: "end"))
            router.get("/last", on: .loop) { show($0) }
        }
    }

    @Test(arguments: [Router.Order.mostSpecificFirst, .latestFirst])
    func `has everything below its prefix`(_ order: Router.Order) async throws {
        try await expectAnswers(
            [
                ("GET /g", "self"), ("GET /g/", "slash"), ("GET /g/7", "7"), ("PUT /g/any", "any"),
                ("GET /g/m/x", "mount '/g/m'"), ("GET /g/r5", "r5"), ("GET /r5", "404"),
                ("DELETE /g/x", "closure"), ("DELETE /x", "404"), ("PATCH /g/x", "fallback"),
                ("PATCH /g", "fallback"), ("PATCH /gg", "404"), ("PATCH /x", "404"),
                ("OPTIONS /g/x", "204: GET, HEAD, OPTIONS, PATCH"), ("GET /any", "404"),
            ], router: Router(order: order)
        ) { router in
            router.group("/g") { group in
                group.fallback(.patch, on: .loop, answering("fallback"))
                group.get("/{x}", on: .loop) { .text($0.parameters["x"] ?? "-") }
                group.get("", on: .loop, answering("self"))
                group.get("/", on: .loop, answering("slash"))
                group.on(nil, "/any", .inline { _ in .text("any") })
                group.mount("/m", ShowingMount())
                group.on(.get, /\/(r\d)/, on: .loop) { .text($0.parameters["1"] ?? "-") }
                group.on({ $0.method == .delete }, on: .loop, respond: answering("closure"))
            }
        }
    }

    @Test func `has the names of its prefix`() async throws {
        let show: @Sendable (Request) -> Response = { request in
            .text(["t", "u", "1"].map { request.parameters[$0] ?? "-" }.joined(separator: ","))
        }
        try await expectAnswers([
            ("GET /of/a/b", "a,b,-"), ("GET /of/a%2Fb/x1", "a/b,-,x1"), ("PUT /of/a/x", "a,-,-"),
            ("POST /of/a", "a,-,-"), ("GET /of//b", "404"),
            ("GET /of/a%20b/m/c?q", "mount '/of/a%20b/m'"), ("GET /of/a/m?q", "mount '/of/a/m'"),
        ]) { router in
            router.group("/of/{t}") { group in
                group.get("/{u}", on: .loop) { show($0) }
                group.on(.get, /\/(x\d)/, on: .loop) { show($0) }
                group.on({ $0.method == .put }, on: .loop) { show($0) }
                group.fallback(.post, on: .loop) { show($0) }
                group.mount("/m", ShowingMount())
            }
        }
    }

    private struct ShowingMount: HTTPHandler {
        func respond(to request: Request) async throws -> Response {
            .text("mount '\(request.mountPath)'")
        }
    }

    @Test func `stays one when the router changes later`() async throws {
        let kept = Note<Router?>(nil)
        let show = Self.trail()
        try await expectAnswers([("GET /g/a", "g"), ("GET /g/b", "404")]) { router in
            router.group("/g", Marking(name: "g")) { kept.value = $0 }
            router.use(Marking(name: "later"))
            kept.value?.get("/a", on: .loop) { show($0) }
            if let id = kept.value?.get("/b", on: .loop, answering("b")) { router.remove(id) }
        }
    }

    @Test func `passes on what building it throws`() {
        struct Failed: Error {}
        #expect(throws: Failed.self) {
            try Router().group("/g") { _ in throw Failed() }
        }
    }

    @Test func `lets a preflight pass its middlewares`() async throws {
        struct Preflight: HTTPMiddleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                request.method == .options ? .text("preflight") : try await next(request)
            }
        }
        try await expectAnswers([
            ("OPTIONS /g/a", "preflight"), ("OPTIONS /a", "204: GET, HEAD, OPTIONS"),
        ]) { router in
            router.get("/a", on: .loop, answering("a"))
            router.group("/g", Preflight()) { $0.get("/a", on: .loop, answering("a")) }
        }
    }
}
