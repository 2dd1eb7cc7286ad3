import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The order of routes` {
    @Test func `may be that of adding alone, the latest first`() async throws {
        try await expectAnswers(
            [
                ("GET /a", "rest"), ("GET /b", "closure"), ("PUT /a", "literal"),
                ("PUT /c", "405: DELETE, GET, HEAD, OPTIONS"),
                ("OPTIONS /c", "204: DELETE, GET, HEAD, OPTIONS"), ("DELETE /c", "c"),
                ("PUT /none", "405: GET, HEAD, OPTIONS"), ("GET /%", "400"), ("TRACE /a", "501"),
                ("OPTIONS *", "204: DELETE, GET, HEAD, OPTIONS, PUT"), ("BREW /a", "501"),
            ], router: Router(order: .latestFirst)
        ) { router in
            router.delete("/c", on: .loop, answering("c"))
            router.put("/a", on: .loop, answering("literal"))
            router.get("/a", on: .loop, answering("shadowed"))
            router.get("/{x...}", on: .loop, answering("rest"))
            router.on(
                { $0.method == .get && $0.path == "/b" }, on: .loop, respond: answering("closure"))
        }
    }

    @Test func `of HEAD prefers its own routes to those of GET`() async throws {
        for isHeadFirst in [true, false] {
            try await withServer { router in
                let head: @Sendable (Request) -> Response = { _ in
                    Response(status: .ok, fields: [.eTag: "\"own\""])
                }
                if isHeadFirst { router.on(.head, "/a", .inline(head)) }
                router.get("/a", on: .loop, answering("a"))
                if !isHeadFirst { router.on(.head, "/a", .inline(head)) }
            } _: { server in
                let response = try await server.exchange(request("HEAD /a", ["Connection: close"]))
                #expect(response["ETag"] == "\"own\"")
            }
        }
    }

    @Test(arguments: [
        ("GET /Photos/MINE", "Photos MINE"), ("GET /photos/mine", "Photos mine"),
        ("GET /%50hotos/x", "Photos x"), ("GET /FILE", "file"), ("GET /file", "file"),
        ("GET /ARCHIVE-A.ZIP", "archive A"), ("GET /Über", "uber"), ("GET /M/X", "mount '/m' /M/X"),
        ("GET /m/X", "mount '/m' /m/X"), ("GET /none", "404"),
    ])
    func `may ignore the case of literal text`(_ line: String, _ answer: String) async throws {
        struct Mounted: HTTPHandler {
            func respond(to request: Request) async throws -> Response {
                .text("mount '\(request.mountPath)' \(request.path)")
            }
        }
        let line = line.replacing("Ü", with: "%C3%9C")
        for order in [Router.Order.mostSpecificFirst, .latestFirst] {
            let router = Router(order: order, ignoresCase: true)
            try await expectAnswers([(line, answer)], router: router) { router in
                router.get("/Photos/{x}", on: .loop) {
                    .text("Photos \($0.parameters["x"] ?? "-")")
                }
                router.get("/File", on: .loop, answering("file"))
                router.get("/über", on: .loop, answering("uber"))
                router.get("/archive-{x}.zip", on: .loop) {
                    .text("archive \($0.parameters["x"] ?? "-")")
                }
                router.mount("/m", Mounted())
            }
        }
    }

    @Test func `does not ignore case by itself`() async throws {
        try await expectAnswers([("GET /A", "404"), ("GET /M/x", "404")]) { router in
            router.get("/a", on: .loop, answering("a"))
            router.get("/m/{x}", on: .loop, answering("m"))
        }
    }
}
