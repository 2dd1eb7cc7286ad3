import Synchronization
import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A router` {
    @Test func `prefers the most specific pattern, whenever it was added`() async throws {
        let patterns = [
            "/a/b", "/a/{x}", "/a/{x...}", "/{x}/b", "/{x}/{y}", "/{x...}", "/a/{x}/c",
            "/a/{x}/{y}",
        ]
        for order in [patterns, patterns.reversed(), patterns.shuffled()] {
            try await expectAnswers([
                ("GET /a/b", "/a/b"), ("GET /a/z", "/a/{x}"), ("GET /a/z/q/r", "/a/{x...}"),
                ("GET /z/b", "/{x}/b"), ("GET /z/z", "/{x}/{y}"), ("GET /z/z/z", "/{x...}"),
                ("GET /a/z/c", "/a/{x}/c"), ("GET /a/z/d", "/a/{x}/{y}"), ("GET /", "/{x...}"),
                ("GET /a", "/a/{x...}"), ("GET /a/", "/a/{x...}"), ("GET /z/", "/{x...}"),
            ]) { router in
                for pattern in order { router.get(pattern, on: .loop, answering(pattern)) }
            }
        }
    }

    @Test func `prefers what was added last among equals`() async throws {
        try await expectAnswers([("GET /a", "2"), ("GET /b/x", "4")]) { router in
            router.get("/a", on: .loop, answering("1"))
            router.get("/a", on: .loop, answering("2"))
            router.get("/b/{x}", on: .loop, answering("3"))
            router.get("/b/{y}", on: .loop, answering("4"))
        }
    }

    @Test func `lets a match closure beat what was added before it`() async throws {
        try await expectAnswers([
            ("GET /a?x", "closure"), ("GET /a", "early"), ("GET /b?x", "late"), ("GET /b", "late"),
            ("GET /c?x", "closure"), ("GET /c", "404"), ("DELETE /c?x", "closure"),
        ]) { router in
            router.get("/a", on: .loop, answering("early"))
            router.on(
                { $0.path?.hasSuffix("?x") == true }, on: .loop, respond: answering("closure"))
            router.get("/b", on: .loop, answering("late"))
        }
    }

    @Test func `asks the latest of several match closures first`() async throws {
        try await expectAnswers([("GET /1", "second"), ("GET /2", "first"), ("BREW /pot", "first")])
        {
            router in
            router.on({ _ in true }, on: .loop, respond: answering("first"))
            router.on({ $0.path == "/1" }, on: .loop, respond: answering("second"))
        }
    }

    @Test func `answers a method that it has no route for with 405 and Allow`() async throws {
        try await withServer { router in
            router.get("/a", .inline { _ in .text("a") })
            router.put("/a", on: .loop, answering("a"))
            router.delete("/{x}", on: .loop, answering("x"))
            router.post("/{x}", on: .loop, answering("x"))
            router.get("/any", .inline { _ in .text("any") })
            router.on(nil, "/any", on: .loop, answering("any"))
        } _: { server in
            let client = try await server.connect()
            for (line, allowed) in [
                ("PATCH /a", "DELETE, GET, HEAD, OPTIONS, POST, PUT"),
                ("GET /b", "DELETE, OPTIONS, POST"), ("HEAD /b", "DELETE, OPTIONS, POST"),
                ("PROPFIND /b", "DELETE, OPTIONS, POST"),
            ] {
                let response = try await client.exchange(request(line))
                #expect(response.status == 405, "\(line)")
                #expect(response["Allow"] == allowed, "\(line)")
            }
            #expect(try await client.exchange(request("LOCK /any")).text == "any")
        }
    }

    @Test func `answers 404 for no path and 501 for no method`() async throws {
        try await expectAnswers([
            ("GET /none", "404"), ("POST /none", "404"), ("BREW /none", "501"), ("BREW /a", "501"),
            ("get /a", "501"), ("GET /a/", "404"), ("GET //a", "404"), ("GET /A", "404"),
            ("GET /a%00", "404"), ("GET /%61", "a"), ("GET /%zz", "400"), ("GET /a?b=c", "a"),
            ("GET http://test/a", "a"), ("GET http://other/a?q", "a"), ("GET http://test", "404"),
            ("CONNECT test:80", "501"),
        ]) { router in
            router.get("/a", on: .loop, answering("a"))
        }
    }

    @Test(arguments: [
        ("/one/%C3%BC%20x", "one=ü x"), ("/one/a%2Fb", "one=a/b"), ("/one/", "404"),
        ("/one/a/b", "404"), ("/rest/a/b%20c", "rest=a/b c"), ("/rest/", "rest="),
        ("/rest", "rest="), ("/two/1/x/2", "two=1,2"), ("/two/1/y/2", "404"),
        ("/one/%E4", "one=\u{FFFD}"),
    ])
    func `hands out what it found in the path`(_ path: String, _ answer: String) async throws {
        try await expectAnswers([("GET \(path)", answer)]) { router in
            router.get("/one/{x}", on: .loop) { .text("one=\($0.parameters["x"] ?? "-")") }
            router.get("/rest/{x...}", on: .loop) { .text("rest=\($0.parameters["x"] ?? "-")") }
            router.get("/two/{a}/x/{b}", on: .loop) {
                .text("two=\($0.parameters["a"] ?? "-"),\($0.parameters["b"] ?? "-")")
            }
        }
    }

    @Test func `keeps an encoded slash apart from one that separates`() async throws {
        try await expectAnswers([
            ("GET /a/b", "literal"), ("GET /a%2Fb", "one a/b"), ("GET /a%2fb", "one a/b"),
            ("GET /%61/b", "literal"),
        ]) { router in
            router.get("/a/b", on: .loop, answering("literal"))
            router.get("/{x}", on: .loop) { .text("one \($0.parameters["x"] ?? "-")") }
        }
    }

    @Test func `tells a mounted handler where it is`() async throws {
        struct Where: HTTPHandler {
            let name: String
            func respond(to request: Request) async throws -> Response {
                .text("\(name) at '\(request.mountPath)' for \(request.path)")
            }
        }
        try await expectAnswers([
            ("GET /", "root at '' for /"), ("GET /davy", "root at '' for /davy"),
            ("GET /dav", "dav at '/dav' for /dav"), ("PROPFIND /dav/", "dav at '/dav' for /dav/"),
            ("GET /dav/a%20b/c?q", "dav at '/dav' for /dav/a%20b/c"),
            ("GET /dav/in/x", "inner at '/dav/in' for /dav/in/x"), ("GET /dav/page", "page"),
            ("GET /%64av/x", "dav at '/dav' for /%64av/x"),
        ]) { router in
            router.mount("/", Where(name: "root"))
            router.mount("/dav/", Where(name: "dav"))
            router.mount("/dav/in", Where(name: "inner"))
            router.get("/dav/page", on: .loop, answering("page"))
        }
    }
}
