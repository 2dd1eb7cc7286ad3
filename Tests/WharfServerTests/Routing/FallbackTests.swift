import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A fallback` {
    @Test func `answers what no other route answers`() async throws {
        for isEarly in [true, false] {
            try await expectAnswers([
                ("GET /a", "a"), ("GET /b/1", "b"), ("GET /m/x", "mounted"), ("GET /c", "closure"),
                ("GET /none", "fallback"), ("GET /post", "fallback"),
                ("POST /post", "post"), ("PUT /post", "405: GET, HEAD, OPTIONS, POST"),
                ("PUT /none", "405: GET, HEAD, OPTIONS"),
                ("OPTIONS /none", "204: GET, HEAD, OPTIONS"),
                ("BREW /none", "501"), ("TRACE /none", "501"), ("GET /%", "400"),
            ]) { router in
                if isEarly { router.fallback(.get, on: .loop, answering("fallback")) }
                router.get("/a", on: .loop, answering("a"))
                router.get("/b/{x}", on: .loop, answering("b"))
                router.post("/post", on: .loop, answering("post"))
                router.mount("/m", AnsweringHandler(text: "mounted"))
                router.on({ $0.path == "/c" }, on: .loop, respond: answering("closure"))
                if !isEarly { router.fallback(.get, on: .loop, answering("fallback")) }
            }
        }
    }

    @Test func `of one method is preferred when it came last`() async throws {
        try await expectAnswers([("GET /x", "get"), ("PUT /x", "late"), ("POST /x", "late")]) {
            router in
            router.fallback(.put, on: .loop, answering("put"))
            router.fallback(nil, on: .loop, answering("late"))
            router.fallback(.get, on: .loop, answering("get"))
        }
    }

    @Test func `for all methods leaves neither 404 nor 405`() async throws {
        try await expectAnswers([
            ("GET /a", "a"), ("PUT /a", "all"), ("GET /none", "all"), ("BREW /none", "all"),
            ("OPTIONS /a", "all"), ("OPTIONS *", "all"), ("GET /%", "400"), ("TRACE /a", "501"),
            ("CONNECT test:80", "501"),
        ]) { router in
            router.get("/a", on: .loop, answering("a"))
            router.fallback(nil, on: .loop, answering("all"))
        }
    }

    @Test func `may be for CONNECT`() async throws {
        try await expectAnswers([("CONNECT test:80", "409"), ("GET /", "405: CONNECT, OPTIONS")]) {
            router in
            router.fallback(.connect, on: .loop) { _ in throw HTTPError(.conflict) }
        }
    }

    @Test func `can be removed`() async throws {
        try await expectAnswers([("GET /", "404")]) { router in
            router.remove(router.fallback(nil, on: .loop, answering("all")))
        }
    }

    @Test func `is one among others where the latest comes first`() async throws {
        try await expectAnswers(
            [
                ("GET /a", "fallback"), ("GET /b", "b"), ("GET /%", "400"),
                ("PUT /b", "405: GET, HEAD, OPTIONS"),
            ],
            router: Router(order: .latestFirst)
        ) { router in
            router.get("/a", on: .loop, answering("a"))
            router.fallback(.get, on: .loop, answering("fallback"))
            router.get("/b", on: .loop, answering("b"))
        }
    }
}
