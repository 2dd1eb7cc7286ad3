import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `An answer that leads elsewhere` {
    @Test(arguments: zip(Redirection.allCases, [301, 302, 303, 307, 308]))
    func `has its status and its place`(_ redirection: Redirection, _ status: Int) async throws {
        try await withServer { router in
            router.get("/") { _ in .redirect(to: "/ä b", redirection) }
        } _: { server in
            let response = try await server.exchange(request("GET /"))
            #expect(response.status == status)
            #expect(response["Location"] == "/%C3%A4%20b")
            #expect(response["Content-Length"] == "0")
        }
    }

    @Test(arguments: [
        ("/a", "/a"), ("a", "/a"), ("", "/"), ("//evil.example", "/evil.example"),
        ("/\\evil.example", "/evil.example"), (" \t//evil.example/", "/evil.example/"),
        ("https://evil.example", "/https://evil.example"), ("/a//b", "/a//b"),
        ("/\r\n/evil.example", "/evil.example"), ("/../a", "/../a"),
    ])
    func `to a path stays on its site`(_ path: String, _ location: String) {
        #expect(Response.redirect(toPath: path).fields[.location] == location)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `An answer with cookies` {
    @Test func `has a line for each`() async throws {
        try await withServer { router in
            router.get("/") { request in
                try .text(request.cookies.map(\.name).joined())
                    .setting(SetCookie("a", "1")).setting(SetCookie("b", "2"))
            }
        } _: { server in
            let response = try await server.exchange(request("GET /", ["Cookie: x=1; y=2"]))
            #expect(response.text == "xy")
            let lines = response.lines.filter { $0.hasPrefix("Set-Cookie: ") }
            #expect(
                lines == [
                    "Set-Cookie: a=1; Path=/; HttpOnly; SameSite=Lax",
                    "Set-Cookie: b=2; Path=/; HttpOnly; SameSite=Lax",
                ])
        }
    }
}
