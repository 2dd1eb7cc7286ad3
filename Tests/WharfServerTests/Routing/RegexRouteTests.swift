import RegexBuilder
import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A route by a regular expression` {
    /// Answers with the parameters of these names.
    private static func showing(_ names: String...) -> @Sendable (Request) -> Response {
        { request in .text(names.map { request.parameters[$0] ?? "-" }.joined(separator: ",")) }
    }

    @Test(arguments: [
        ("/photos/12.jpg", "12,12,jpg"), ("/photos/7.jpeg", "7,7,jpeg"), ("/photos/7.gif", "404"),
        ("/photos/x.jpg", "404"), ("/in/photos/7.jpg", "404"), ("/photos/7.jpg/more", "404"),
        ("/%70hotos/7.jpg", "7,7,jpg"), ("/photos/7.jpg?q", "7,7,jpg"), ("/photos%2F7.jpg", "404"),
    ])
    func `fits whole paths and hands out its captures`(_ path: String, _ answer: String)
        async throws
    {
        try await expectAnswers([("GET \(path)", answer)]) { router in
            let show = Self.showing("id", "1", "2")
            router.on(.get, /\/photos\/(?<id>\d+)\.(jpe?g|png)/, on: .loop) { show($0) }
        }
    }

    @Test func `leaves out captures that took no part`() async throws {
        try await expectAnswers([("GET /ab", "a,-,b"), ("GET /axb", "a,x,b")]) { router in
            let show = Self.showing("1", "2", "3")
            router.on(.get, /\/(a)(x)?(b)/, on: .loop) { show($0) }
        }
    }

    @Test(arguments: [
        ("/one/a%2Fb", "a/b"), ("/one/a%252Fb", "a%2Fb"), ("/one/100%25", "100%"),
        ("/one/%C3%BC%20x", "ü x"), ("/one/a/b", "404"), ("/one/%zz", "400"),
    ])
    func `keeps an encoded slash within its segment`(_ path: String, _ answer: String) async throws
    {
        try await expectAnswers([("GET \(path)", answer)]) { router in
            let show = Self.showing("1")
            router.on(.get, /\/one\/([^\/]+)/, on: .loop) { show($0) }
        }
    }

    @Test func `beats what was added before it`() async throws {
        try await expectAnswers([
            ("GET /a", "regex"), ("GET /b", "pattern"), ("GET /c", "regex"), ("PUT /b", "put"),
            ("POST /c", "405: GET, HEAD, OPTIONS, PUT"),
            ("OPTIONS /c", "204: GET, HEAD, OPTIONS, PUT"),
            ("GET /long", "fallback"), ("TRACE /a", "501"),
        ]) { router in
            router.get("/a", on: .loop, answering("pattern"))
            router.on(.get, /\/./, on: .loop, answering("regex"))
            router.on(.put, /\/./, on: .loop, answering("put"))
            router.get("/b", on: .loop, answering("pattern"))
            router.fallback(.get, on: .loop, answering("fallback"))
        }
    }

    @Test func `may ignore case, by itself or as the router does`() async throws {
        try await expectAnswers([("GET /A", "a"), ("GET /B", "404")]) { router in
            router.on(.get, /\/a/.ignoresCase(), on: .loop, answering("a"))
            router.on(.get, /\/b/, on: .loop, answering("b"))
        }
        let router = Router(ignoresCase: true)
        try await expectAnswers([("GET /B", "b")], router: router) { router in
            router.on(.get, /\/b/, on: .loop, answering("b"))
        }
    }

    @Test func `may be built, and refuse by throwing`() async throws {
        struct Refused: Error {}
        try await expectAnswers([("GET /7", "7"), ("GET /13", "404")]) { router in
            let show = Self.showing("1")
            router.on(
                .get,
                Regex {
                    "/"
                    TryCapture {
                        OneOrMore(.digit)
                    } transform: { text in
                        guard text != "13" else { throw Refused() }
                        return Int(text)
                    }
                }, on: .loop
            ) { show($0) }
        }
    }

    @Test func `can be removed`() async throws {
        for order in [Router.Order.mostSpecificFirst, .latestFirst] {
            try await expectAnswers([("GET /a", "404")], router: Router(order: order)) { router in
                router.remove(router.on(nil, /.*/, on: .loop, answering("any")))
            }
        }
    }
}
