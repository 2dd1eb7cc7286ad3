import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting

@Suite struct `The routes of GCDWebUploader` {
    private func folder() throws -> SharedFolder {
        let shared = try SharedFolder(isDrive: false)
        try shared.folder.makeFolder("sub")
        try shared.folder.write("in", to: "sub/b.txt")
        try shared.folder.write("text", to: "a.txt")
        return shared
    }

    @Test func `list`() async throws {
        let shared = try folder()
        let top = try await shared.client.get("/list?path=%2F")
        #expect(
            top.text == #"[{"name":"a.txt","path":"/a.txt","size":4},"#
                + #"{"name":"sub","path":"/sub/"}]"#)
        let below = try await shared.client.get("/list?path=/sub/")
        #expect(below.text == #"[{"name":"b.txt","path":"/sub/b.txt","size":2}]"#)
        #expect(try await shared.client.get("/list?path=/none").status == .notFound)
        #expect(try await shared.client.get("/list?path=/a.txt").status == .badRequest)
        #expect(try await shared.client.get("/list?path=/.git").status == .forbidden)
        #expect(try await shared.client.get("/list?path=/../etc").status == .badRequest)
    }

    @Test func `leave files of their names to be had`() async throws {
        let shared = try folder()
        try shared.folder.write("a list", to: "list")
        try shared.folder.write("a download", to: "download")
        #expect(try await shared.client.get("/list").text == "a list")
        #expect(try await shared.client.get("/download").text == "a download")
        #expect(try await shared.client.get("/list?path=/").text.hasPrefix("["))
    }

    @Test func `download whole files`() async throws {
        let shared = try folder()
        let file = try await shared.client.get("/download?path=%2Fsub%2Fb.txt")
        #expect(file.text == "in")
        #expect(file.fields[.contentDisposition] == "attachment; filename=\"b.txt\"")
        #expect(try await shared.client.get("/download?path=/sub").status == .notFound)
        #expect(try await shared.client.get("/download?path=/none").status == .notFound)
    }

    @Test(
        arguments: [
            ("new.txt", "new.txt"), ("a.txt", "a (1).txt"), ("sub", "sub (1)"),
            ("C:\\fakepath\\x.txt", "x.txt"), ("existing/../../x", "x"),
            ("u\u{308}.txt", "\u{FC}.txt"),
        ])
    func `upload under a free name`(_ name: String, _ expected: String) async throws {
        let shared = try folder()
        let answer = try await shared.form(
            "/upload", fields: [("path", "/")], files: [(name, "new")])
        #expect(answer.status == .ok && answer.text == "{}")
        #expect(answer.fields[.contentType]?.hasPrefix("text/plain") == true)
        #expect(shared.text(expected) == "new")
        #expect(shared.text("a.txt") == "text")
        #expect(shared.names.count == 4)
    }

    @Test func `upload many files at once, and say so in JSON`() async throws {
        let shared = try folder()
        let answer = try await shared.form(
            "/upload", fields: [("path", "/sub")], files: [("1", "one"), ("2", "two")],
            [.accept: "application/json"])
        #expect(answer.fields[.contentType] == "application/json")
        #expect(
            shared.names.filter { $0.hasPrefix("sub/") } == ["sub/", "sub/1", "sub/2", "sub/b.txt"])
    }

    @Test(
        arguments: [
            ("/", "..", 400), ("/", "a\u{7}b", 400), ("/", ".hidden", 403),
            ("/none", "x", 409), ("/../x", "x", 400), ("/.git", "x", 403),
        ])
    func `refuse what is dangerous`(_ path: String, _ name: String, _ status: Int) async throws {
        let shared = try folder()
        let before = shared.names
        let answer = try await shared.form(
            "/upload", fields: [("path", path)], files: [(name, "x")])
        #expect(answer.status.code == status)
        #expect(shared.names == before)
    }

    @Test func `refuse an upload without a file`() async throws {
        let answer = try await folder().form("/upload", fields: [("path", "/")], files: [])
        #expect(answer.status == .badRequest)
    }

    @Test(
        arguments: [
            ("/move", "oldPath=/a.txt&newPath=/b.txt", 200, ["b.txt", "sub/", "sub/b.txt"]),
            (
                "/move", "oldPath=/a.txt&newPath=/sub/b.txt", 200,
                ["sub/", "sub/b (1).txt", "sub/b.txt"]
            ),
            ("/move", "oldPath=/none&newPath=/x", 404, ["a.txt", "sub/", "sub/b.txt"]),
            ("/move", "oldPath=/a.txt", 400, ["a.txt", "sub/", "sub/b.txt"]),
            ("/delete", "path=/sub/", 200, ["a.txt"]),
            ("/delete", "path=/", 403, ["a.txt", "sub/", "sub/b.txt"]),
            ("/delete", "path=", 403, ["a.txt", "sub/", "sub/b.txt"]),
            ("/create", "path=/sub", 200, ["a.txt", "sub (1)/", "sub/", "sub/b.txt"]),
            ("/create", "path=/new+one", 200, ["a.txt", "new one/", "sub/", "sub/b.txt"]),
            ("/create", "path=/none/new", 409, ["a.txt", "sub/", "sub/b.txt"]),
        ])
    func `change the folder`(_ route: String, _ form: String, _ status: Int, _ names: [String])
        async throws
    {
        let shared = try folder()
        #expect(try await shared.form(route, form).status.code == status)
        #expect(shared.names == names)
    }

    @Test func `ask the delegate, who sees the file`() async throws {
        let delegate = Watcher()
        let shared = try SharedFolder(isDrive: false, delegate: delegate)
        _ = try await shared.form("/upload", fields: [("path", "/")], files: [("no.txt", "secret")])
        #expect(shared.names == [])
        let taken = try await shared.form(
            "/upload", fields: [("path", "/")], files: [("yes.txt", "fine")])
        #expect(taken.status == .ok)
        #expect(shared.names == ["yes.txt"])
        _ = try await shared.client.get("/download?path=/yes.txt")
        _ = try await shared.form("/move", "oldPath=/yes.txt&newPath=/z.txt")
        _ = try await shared.form("/create", "path=/dir")
        _ = try await shared.form("/delete", "path=/z.txt")
        #expect(
            delegate.seen.withLock { $0 } == [
                "upload yes.txt", "download yes.txt", "move yes.txt z.txt", "create dir",
                "delete z.txt",
            ])
    }
}

/// Refuses files whose content is a secret, and remembers the rest.
private final class Watcher: ShareDelegate {
    let seen = Locked<[String]>([])

    func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool {
        guard let path = upload.temporaryPath else { return false }
        return try WholeFile.read(path, byteCountMax: 100) != Array("secret".utf8)
    }

    private func note(_ text: String) { seen.withLock { $0.append(text) } }

    func didUpload(_ upload: ShareUpload, for request: Request) async {
        note("upload \(upload.path)")
    }
    func didDownload(_ path: String, for request: Request) async { note("download \(path)") }
    func didMove(_ path: String, to newPath: String, for request: Request) async {
        note("move \(path) \(newPath)")
    }
    func didDelete(_ path: String, for request: Request) async { note("delete \(path)") }
    func didCreateFolder(_ path: String, for request: Request) async { note("create \(path)") }
}
