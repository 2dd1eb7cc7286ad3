import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting
import WharfWebDAV

@Suite struct `The page's commands` {
    private func folder(isDrive: Bool = true) throws -> SharedFolder {
        let shared = try SharedFolder(isDrive: isDrive)
        try shared.folder.makeFolder("sub")
        try shared.folder.write("in", to: "sub/b.txt")
        try shared.folder.write("text", to: "a b.txt")
        try shared.folder.write("other", to: "c.txt")
        return shared
    }

    private static let cases: [(String, String, HTTPResponse.Status, [String])] = [
        ("create", #"{"path": "/new%20one/"}"#, .ok, ["+new one/"]),
        ("create", #"{"path": "/sub/deep"}"#, .ok, ["+sub/deep/"]),
        ("create", #"{"path": "/sub"}"#, .methodNotAllowed, []),
        ("create", #"{"path": "/none/deep"}"#, .conflict, []),
        ("create", #"{"path": "/"}"#, .forbidden, []),
        ("create", #"{"path": "/.hidden"}"#, .forbidden, []),
        ("create", #"{"path": "/a%00b"}"#, .badRequest, []),
        ("create", #"{"path": "/con.txt"}"#, .badRequest, []),
        ("create", #"{"path": "/%0a"}"#, .badRequest, []),
        ("create", #"{"path": "/sub/../new"}"#, .badRequest, []),
        ("create", #"{"path": "/..%2fnew"}"#, .badRequest, []),
        ("create", #"{"path": "new"}"#, .badRequest, []),
        ("create", #"{"to": "/new"}"#, .badRequest, []),
        ("create", "path=/new", .badRequest, []),
        // Decomposed, as macOS has it, it becomes one character.
        ("create", #"{"path": "/u%CC%88"}"#, .ok, ["+\u{FC}/"]),
        ("move", #"{"path": "/c.txt", "to": "/d.txt"}"#, .ok, ["-c.txt", "+d.txt"]),
        ("move", #"{"path": "/c.txt", "to": "/sub/c.txt"}"#, .ok, ["-c.txt", "+sub/c.txt"]),
        ("move", #"{"path": "/c.txt", "to": "/a%20b.txt"}"#, .preconditionFailed, []),
        (
            "move", #"{"path": "/c.txt", "to": "/a%20b.txt", "replace": true}"#, .ok,
            ["-c.txt"]
        ),
        ("move", #"{"path": "/sub/", "to": "/sub/x"}"#, .forbidden, []),
        ("move", #"{"path": "/none", "to": "/x"}"#, .notFound, []),
        ("move", #"{"path": "/c.txt", "to": "/none/x"}"#, .conflict, []),
        ("move", #"{"path": "/c.txt", "to": "/.x"}"#, .forbidden, []),
        ("move", #"{"path": "/", "to": "/x"}"#, .forbidden, []),
        ("delete", #"{"path": "/c.txt"}"#, .ok, ["-c.txt"]),
        ("delete", #"{"path": "/sub/"}"#, .ok, ["-sub/", "-sub/b.txt"]),
        ("delete", #"{"path": "/none"}"#, .notFound, []),
        ("delete", #"{"path": "/"}"#, .forbidden, []),
        ("delete", #"{"path": ""}"#, .badRequest, []),
    ]

    @Test(arguments: cases, [true, false])
    func `do what they say, or nothing`(
        _ test: (String, String, HTTPResponse.Status, [String]), _ isDrive: Bool
    ) async throws {
        let shared = try folder(isDrive: isDrive)
        let before = Set(shared.names)
        let answer = try await shared.command(test.0, test.1)
        #expect(answer.status == test.2, "\(answer.text)")
        let after = Set(shared.names)
        let changes =
            before.subtracting(after).map { "-" + $0 } + after.subtracting(before).map { "+" + $0 }
        #expect(Set(changes) == Set(test.3))
    }

    @Test func `replace only what they are told to`() async throws {
        let shared = try folder()
        _ = try await shared.command(
            "move", #"{"path": "/c.txt", "to": "/a%20b.txt", "replace": true}"#)
        #expect(shared.text("a b.txt") == "other")
    }

    @Test(arguments: ["create", "move", "delete"])
    func `come as JSON and by POST only`(_ name: String) async throws {
        let shared = try folder()
        let body = #"{"path": "/c.txt", "to": "/d.txt"}"#
        for type in ["text/plain", "application/x-www-form-urlencoded"] {
            let answer = try await shared.command(name, body, [.contentType: type])
            #expect(answer.status == .unsupportedMediaType)
        }
        #expect(try await shared.client.get("/.wharf/\(name)").status == .methodNotAllowed)
        #expect(shared.names.contains("c.txt"))
    }

    @Test(
        arguments: [
            ([.origin: "https://evil.example"], 403), ([.secFetchSite: "cross-site"], 403),
            ([.origin: "null"], 403), ([.origin: "http://localhost"], 200), ([:], 200),
        ] as [(HTTPFields, Int)])
    func `are refused to other sites`(_ fields: HTTPFields, _ status: Int) async throws {
        let shared = try folder()
        let answer = try await shared.command("delete", #"{"path": "/c.txt"}"#, fields)
        #expect(answer.status.code == status)
        #expect(shared.names.contains("c.txt") == (status != 200))
    }

    @Test func `change nothing in a share that can only be read`() async throws {
        let shared = try SharedFolder(isWritable: false)
        try shared.folder.write("other", to: "c.txt")
        for (name, body) in [
            ("create", #"{"path": "/new"}"#), ("delete", #"{"path": "/c.txt"}"#),
            ("move", #"{"path": "/c.txt", "to": "/d.txt"}"#),
        ] {
            let status = try await shared.command(name, body).status
            #expect(status == .forbidden || status == .methodNotAllowed)
        }
        #expect(shared.names == ["c.txt"])
    }

    @Test func `respect the locks of the drive's clients`() async throws {
        let shared = try folder()
        let body = """
            <?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>\
            </D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>
            """
        let lock = try await shared.client.send(.lock, "/c.txt", body: .text(body))
        #expect(lock.status == .ok)
        let removed = try await shared.command("delete", #"{"path": "/c.txt"}"#)
        let moved = try await shared.command("move", #"{"path": "/c.txt", "to": "/d.txt"}"#)
        #expect(removed.status == .locked && moved.status == .locked)
        #expect(shared.names.contains("c.txt"))
    }

    @Test func `name what is no UTF-8`() async throws {
        let shared = try folder()
        try shared.folder.write(Array("x".utf8), to: [0x66, 0xFF, 0x6F])
        let moved = try await shared.command("move", #"{"path": "/f%FFo", "to": "/sub/f%FFo"}"#)
        #expect(moved.status == .ok)
        let removed = try await shared.command("delete", #"{"path": "/sub/f%FFo"}"#)
        #expect(removed.status == .ok)
    }

    @Test func `keep to the extensions that are allowed, whichever way`() async throws {
        var options = Share.Options()
        options.allowedExtensions = ["txt", "JPG"]
        let shared = try SharedFolder(share: options)
        try shared.folder.write("x", to: "a.txt")
        try shared.folder.write("x", to: "secret.key")
        let moved = try await shared.command("move", #"{"path": "/a.txt", "to": "/a.php"}"#)
        #expect(moved.status == .forbidden)
        #expect(try await shared.client.put("/b.php", body: .text("x")).status == .forbidden)
        #expect(try await shared.client.put("/b.jpg", body: .text("x")).status == .created)
        #expect(try await shared.client.get("/secret.key").status == .notFound)
        let list = try await shared.client.get("/", fields: [.accept: "application/json"])
        #expect(list.text.contains("a.txt") && !list.text.contains("secret"))
        let drive = try await shared.client.send(
            .propfind, "/", fields: [.depth: "1"], body: .none)
        #expect(drive.text.contains("a.txt") && !drive.text.contains("secret"))
        #expect(try await shared.command("create", #"{"path": "/no.ext"}"#).status == .ok)
        #expect(try await shared.client.send(.delete, "/secret.key").status == .notFound)
    }
}
