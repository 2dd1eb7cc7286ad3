import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A router's own answer` {
    private struct Mounted: HTTPHandler {
        func respond(to request: Request) async throws -> Response {
            .text("mounted \(request.method)")
        }
    }

    private struct Writable: HTTPHandler {
        let allowedMethods: [HTTPRequest.Method] = [.get, .put, .mkcol]

        func respond(to request: Request) async throws -> Response { .text("written") }
    }

    /// Puts its mark on each answer, and refuses requests that say so.
    private struct Marking: HTTPMiddleware {
        let mark: String

        func respond(to request: Request, next: Next) async throws -> Response {
            if request.query == "stop" { return .text("stopped by \(mark)") }
            do {
                var response = try await next(request)
                response.fields.append(HTTPField(name: .init("X-Mark")!, value: mark))
                return response
            } catch var error as HTTPError {
                error.fields.append(HTTPField(name: .init("X-Mark")!, value: mark))
                throw error
            }
        }
    }

    @Test func `says by OPTIONS and by 405 what a path can be asked`() async throws {
        try await expectAnswers([
            ("OPTIONS /a", "204: GET, HEAD, OPTIONS, PUT"),
            ("POST /a", "405: GET, HEAD, OPTIONS, PUT"),
            ("OPTIONS /a?q", "204: GET, HEAD, OPTIONS, PUT"),
            ("OPTIONS /%61", "204: GET, HEAD, OPTIONS, PUT"),
            ("OPTIONS http://test/a", "204: GET, HEAD, OPTIONS, PUT"),
            ("OPTIONS /b/1", "204: DELETE, OPTIONS, POST"),
            ("GET /b/1", "405: DELETE, OPTIONS, POST"),
            ("OPTIONS /b/x", "204: DELETE, GET, HEAD, OPTIONS, POST"),
            ("OPTIONS /b", "204: OPTIONS, POST"), ("OPTIONS /none", "404"), ("OPTIONS /%zz", "400"),
            ("OPTIONS /own", "own"), ("GET /own", "405: OPTIONS"),
            ("OPTIONS /c", "204: BREW, OPTIONS"), ("BREW /c", "brewed"),
            ("BREW /a", "405: GET, HEAD, OPTIONS, PUT"), ("BREW /none", "404"),
            ("OPTIONS /all", "all"), ("DELETE /all", "all"), ("MIX /all", "all"),
        ]) { router in
            router.get("/a", .inline { _ in .text("a") })
            router.put("/a", on: .loop, answering("a"))
            router.delete("/b/{x}", on: .loop, answering("b"))
            router.post("/b/{x...}", on: .loop, answering("b"))
            router.get("/b/x", on: .loop, answering("bx"))
            router.on(.options, "/own", on: .loop, answering("own"))
            router.on(.init("BREW"), "/c", on: .loop, answering("brewed"))
            router.on(nil, "/all", on: .loop, answering("all"))
        }
    }

    @Test func `leaves a mounted handler to answer for itself`() async throws {
        try await expectAnswers([
            ("OPTIONS /m", "mounted OPTIONS"), ("BREW /m/x", "mounted BREW"),
            ("TRACE /m/x", "mounted TRACE"), ("GET /m/page", "page"),
            ("PUT /m/page", "mounted PUT"), ("OPTIONS /m/page", "mounted OPTIONS"),
            ("OPTIONS /none", "404"),
        ]) { router in
            router.mount("/m", Mounted())
            router.get("/m/page", on: .loop, answering("page"))
        }
    }

    @Test func `to OPTIONS for all is what any route allows`() async throws {
        try await expectAnswers([
            ("OPTIONS *", "204: DELETE, GET, HEAD, OPTIONS, PUT"),
            ("OPTIONS http://test", "204: DELETE, GET, HEAD, OPTIONS, PUT"),
        ]) { router in
            router.put("/a", on: .loop, answering("a"))
            router.get("/a", on: .loop, answering("a"))
            router.delete("/b/{x}", on: .loop, answering("b"))
        }
        try await expectAnswers([("OPTIONS *", "204: DELETE, GET, HEAD, OPTIONS")]) { router in
            router.delete("/b/{x}", on: .loop, answering("b"))
            router.mount("/m", Mounted())
        }
        try await expectAnswers([("OPTIONS *", "204: GET, HEAD, MKCOL, OPTIONS, PUT")]) { router in
            router.mount("/m", Writable())
        }
        let every = [
            "COPY", "DELETE", "GET", "HEAD", "LOCK", "MKCOL", "MOVE", "OPTIONS", "PATCH", "POST",
            "PROPFIND", "PROPPATCH", "PUT", "REPORT", "SEARCH", "UNLOCK",
        ].joined(separator: ", ")
        try await expectAnswers([("OPTIONS *", "204: \(every)")]) { router in
            router.on(nil, "/any", on: .loop, answering("any"))
        }
        try await expectAnswers([("OPTIONS *", "closure")]) { router in
            router.on({ _ in true }, on: .loop, respond: answering("closure"))
        }
        try await expectAnswers([("OPTIONS *", "204: OPTIONS")]) { _ in }
    }

    @Test func `to CONNECT and TRACE is 501 unless a route names them`() async throws {
        try await expectAnswers([
            ("CONNECT test:80", "501"), ("TRACE /a", "501"), ("TRACE /none", "501"),
            ("TRACE /any", "501"),
        ]) { router in
            router.get("/a", on: .loop, answering("a"))
            router.on(nil, "/any", on: .loop) { .text("\($0.fields)") }
        }
        try await expectAnswers([
            ("TRACE /t", "traced"), ("TRACE /a", "405: GET, HEAD, OPTIONS"), ("TRACE /none", "404"),
            ("CONNECT test:80", "501"),
        ]) { router in
            router.get("/a", on: .loop, answering("a"))
            router.on(.trace, "/t", on: .loop, answering("traced"))
        }
    }

    @Test func `to a path with a malformed escape is 400`() async throws {
        try await expectAnswers([
            ("GET /%", "400"), ("GET /%4", "400"), ("GET /a/%zz", "400"), ("GET /m/%G0", "400"),
            ("BREW /%", "501"), ("GET /a?%zz", "a"), ("GET /closure%", "closure"),
        ]) { router in
            router.get("/{x}", on: .loop, answering("a"))
            router.mount("/m", Mounted())
            router.on({ $0.path == "/closure%" }, on: .loop, respond: answering("closure"))
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `passes the middlewares of the route whose path it is`(_ place: Execution) async throws {
        try await withServer { router in
            router.get("/free", on: place, answering("free"))
            router.use(Marking(mark: "one"))
            router.get("/one", on: place, answering("one"))
            router.use(Marking(mark: "two"))
            router.get("/one/{x}", on: place, answering("two"))
            router.group("/group") { group in
                group.use(Marking(mark: "group"))
                group.get("/a", on: place, answering("a"))
            }
        } _: { server in
            let client = try await server.connect()
            for (line, status, mark) in [
                ("OPTIONS /free", 204, nil), ("PUT /free", 405, nil), ("OPTIONS /one", 204, "one"),
                ("PUT /one", 405, "one"), ("PUT /one/x", 405, "two|one"),
                ("GET /no", 404, "two|one"),
                ("OPTIONS *", 204, "two|one"), ("BREW /one", 501, "two|one"),
                ("GET /%", 400, "two|one"), ("PUT /group/a", 405, "group|two|one"),
                ("GET /group/none", 404, "two|one"),
            ] as [(String, Int, String?)] {
                let response = try await client.exchange(request(line))
                #expect(response.status == status, "\(line)")
                #expect(response["X-Mark"] == mark, "\(line)")
            }
            let stopped = try await client.exchange(request("OPTIONS /one/x?stop"))
            #expect(stopped.text == "stopped by one")
        }
    }

    @Test func `is the same for a body that would be too long`() async throws {
        for middleware in [[], [Marking(mark: "m")]] {
            try await withServer {
                $0.bodyMax = 3
            } routes: { router in
                for middleware in middleware { router.use(middleware) }
                router.get("/a", on: .loop, answering("a"))
            } _: { server in
                for (line, status) in [("POST /none", 404), ("POST /a", 405), ("OPTIONS /a", 204)] {
                    let fields = ["Content-Length: 4"]
                    let response = try await server.exchange(request(line, fields, body: "four"))
                    #expect(response.status == status, "\(line)")
                }
            }
        }
    }
}
