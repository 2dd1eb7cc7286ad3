import TestSupport
import Testing
import WharfServer
import WharfNet

@Suite struct `A route with one file or some data` {
    private func with(
        _ options: FileHandler.Options = FileHandler.Options(),
        _ body: (TestServer, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write("0123456789", to: "file.txt")
        let file = try FileHandler(file: folder.path + "/file.txt", options: options)
        let data = DataHandler(
            Array("0123456789".utf8), contentType: "text/plain; charset=utf-8",
            cacheAge: options.cacheAge, attachmentName: options.attachmentName)
        try await withServer {
            $0.mount("/file", file)
            $0.mount("/data", data)
            $0.get("/closure", on: .loop) { try await file.respond(to: $0) }
        } _: { server in
            try await body(server, folder)
        }
    }

    @Test(arguments: ["/file", "/data", "/closure"])
    func `has all that a file in a folder has`(_ target: String) async throws {
        try await with { server, _ in
            let whole = try await server.exchange(request("GET \(target)"))
            #expect(whole.status == 200 && whole.text == "0123456789")
            #expect(whole["Content-Type"] == "text/plain; charset=utf-8")
            #expect(whole["Accept-Ranges"] == "bytes")
            #expect(whole["Cache-Control"] == "no-cache")
            #expect(whole["X-Content-Type-Options"] == "nosniff")
            let head = try await server.exchange(request("HEAD \(target)"))
            #expect(head.linesWithoutDate == whole.linesWithoutDate)
            let tag = try #require(whole["ETag"])
            for (fields, status) in [
                (["If-None-Match: \(tag)"], 304), (["If-Match: \"x\""], 412),
                (["Range: bytes=20-"], 416),
            ] {
                #expect(
                    try await server.exchange(request("GET \(target)", fields)).status == status)
            }
            let part = try await server.exchange(
                request("GET \(target)", ["Range: bytes=2-4", "If-Range: \(tag)"]))
            #expect(part.status == 206 && part.text == "234")
            #expect(part["Content-Range"] == "bytes 2-4/10")
            let parts = try await server.exchange(
                request("GET \(target)", ["Range: bytes=0-0,-1"]))
            #expect(parts["Content-Type"]?.hasPrefix("multipart/byteranges; boundary=") == true)
            #expect(parts.text.contains("Content-Range: bytes 9-9/10\r\n\r\n9\r\n--"))
        }
    }

    @Test(arguments: ["/file", "/data"])
    func `answers its path only, for reading`(_ target: String) async throws {
        try await with { server, _ in
            #expect(try await server.exchange(request("GET \(target)/")).status == 404)
            #expect(try await server.exchange(request("GET \(target)/x")).status == 404)
            let refused = try await server.exchange(request("DELETE \(target)"))
            #expect(refused.status == 405)
            #expect(refused["Allow"] == "GET, HEAD, OPTIONS")
            #expect(try await server.exchange(request("OPTIONS \(target)")).status == 204)
        }
    }

    @Test(arguments: ["/file", "/data"])
    func `says what it is told to`(_ target: String) async throws {
        var options = FileHandler.Options()
        options.cacheAge = .seconds(60)
        options.isAttachment = true
        options.attachmentName = "na\u{EF}ve.txt"
        try await with(options) { server, _ in
            let response = try await server.exchange(request("GET \(target)"))
            #expect(response["Cache-Control"] == "max-age=60")
            #expect(
                response["Content-Disposition"]
                    == "attachment; filename=\"na_ve.txt\"; filename*=UTF-8''na%C3%AFve.txt")
        }
    }

    @Test func `is the file that lies there now`() async throws {
        try await with { server, folder in
            let old = try await server.exchange(request("GET /file"))
            try folder.write("other", to: "file.txt")
            let new = try await server.exchange(request("GET /file"))
            #expect(new.text == "other")
            #expect(new["ETag"] != old["ETag"])
        }
    }

    @Test func `has to be there at the start`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: Errno.notFound) { try FileHandler(file: folder.path + "/none") }
        try folder.makeFolder("sub")
        #expect(throws: Errno.isDirectory) { try FileHandler(file: folder.path + "/sub") }
    }

    @Test func `answers every path when it is mounted at the root`() async throws {
        try await withServer {
            $0.mount("/", DataHandler(text: "<app>", contentType: "text/html; charset=utf-8"))
            $0.get("/api", .inline { _ in .text("api") })
        } _: { server in
            for (target, text) in [("/", "<app>"), ("/a/b?c", "<app>"), ("/api", "api")] {
                let response = try await server.exchange(request("GET \(target)"))
                #expect(response.text == text)
            }
        }
    }

    @Test func `has a version that the content alone decides`() async throws {
        var tags: [String?] = []
        for text in ["a", "a", "b", "ab", "ba", ""] {
            try await withServer {
                $0.mount("/", DataHandler(text: text))
            } _: { server in
                tags.append(try await server.exchange(request("GET /"))["ETag"])
            }
        }
        #expect(tags[0] == tags[1])
        #expect(Set(tags).count == 5 && !tags.contains(nil))
    }
}
