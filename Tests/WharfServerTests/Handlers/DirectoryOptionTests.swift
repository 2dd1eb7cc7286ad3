import TestSupport
import Testing
import WharfHTTP
import WharfServer

@Suite struct `A directory handler's option` {
    private func options(_ change: (inout DirectoryHandler.Options) -> Void)
        -> DirectoryHandler.Options
    {
        var options = DirectoryHandler.Options()
        change(&options)
        return options
    }

    @Test(
        arguments: [
            (Duration.zero, "no-cache"), (.seconds(90), "max-age=90"),
            (.milliseconds(1500), "max-age=1"), (.milliseconds(10), "no-cache"), (nil, nil),
        ] as [(Duration?, String?)])
    func `says how long a file may be kept`(_ age: Duration?, _ expected: String?) async throws {
        try await ServedFolder.with(options: options { $0.cacheAge = age }) { served in
            try served.folder.write("text", to: "file")
            let response = try await served.ask("/file")
            #expect(response.fields["cache-control"] == expected)
            let tag = try #require(response.fields["etag"])
            let unchanged = try await served.ask("/file", ["If-None-Match": tag])
            #expect(unchanged.status == 304)
            #expect(unchanged.fields["cache-control"] == expected)
            let refused = try await served.ask("/file", ["If-Match": "\"x\""])
            #expect(refused.status == 412)
            #expect(refused.fields["cache-control"] == nil && refused.fields["etag"] == nil)
            #expect(refused.fields["x-content-type-options"] == "nosniff")
        }
    }

    @Test func `says what an extension means`() async throws {
        let changed = options {
            $0.mediaTypes = ["mine": "x/y", "html": "text/plain; charset=koi8-r"]
            $0.mediaTypes.textCharset = nil
        }
        try await ServedFolder.with(options: changed) { served in
            for (name, type) in [
                ("a.mine", "x/y"), ("a.html", "text/plain; charset=koi8-r"),
                ("a.txt", "text/plain"),
                ("a", "application/octet-stream"),
            ] {
                try served.folder.write("text", to: name)
                #expect(try await served.ask("/\(name)").fields["content-type"] == type)
            }
        }
    }

    @Test func `puts files in a sandbox`() async throws {
        try await ServedFolder.with(options: options { $0.sandboxesFiles = true }) { served in
            try served.folder.write("<script>alert(1)</script>", to: "a.svg")
            #expect(try await served.ask("/a.svg").fields["content-security-policy"] == "sandbox")
        }
        try await ServedFolder.with { served in
            try served.folder.write("text", to: "a.svg")
            #expect(try await served.ask("/a.svg").fields["content-security-policy"] == nil)
        }
    }

    @Test(arguments: [(true, 200), (false, 404)])
    func `lets links be followed`(_ follows: Bool, _ status: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "file")
        try folder.makeFolder("sub")
        try folder.write("text", to: "sub/file")
        try folder.link("inside", to: "file")
        try folder.link("to-sub", to: "sub")
        let handler = try DirectoryHandler(
            folder: folder.path, options: options { $0.followsLinks = follows })
        try await withServer {
            $0.mount("/", handler)
        } _: { server in
            for target in ["/inside", "/to-sub/file", "/to-sub/"] {
                let response = try await server.exchange(request("GET \(target)"))
                #expect(response.status == status, "\(target)")
            }
            #expect(try await server.exchange(request("GET /sub/file")).status == 200)
            let page = try await server.exchange(request("GET /")).text
            #expect(page.contains("inside") == follows)
        }
    }

    @Test func `gives a handler one file of the folder`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "file.txt")
        try folder.write("hidden", to: ".hidden")
        try folder.makeFolder("sub")
        let handler = try DirectoryHandler(folder: folder.path)
        try await withServer {
            $0.get("/get/{path...}", on: .loop) { request in
                try await handler.file(at: request.parameters["path"] ?? "", for: request)
                    .asAttachment(named: "n.txt")
            }
        } _: { server in
            let response = try await server.exchange(request("GET /get/file.txt"))
            #expect(response.text == "text")
            #expect(response["Content-Disposition"] == "attachment; filename=\"n.txt\"")
            let part = try await server.exchange(
                request("GET /get/file.txt", ["Range: bytes=1-2"]))
            #expect(part.status == 206 && part.text == "ex")
            for target in [
                "/get/.hidden", "/get/sub", "/get/sub/", "/get/", "/get/none", "/get/file.txt/",
                "/get/..%2Ffile.txt", "/get/%2Fetc/passwd",
            ] {
                #expect(
                    try await server.exchange(request("GET \(target)")).status == 404, "\(target)")
            }
        }
    }
}
