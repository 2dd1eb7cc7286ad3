import TestSupport
import Testing
import WharfServer

@Suite struct `A file with a compressed one beside it` {
    /// What lies in the folder: `gzipAge` is how much later the compressed one was made.
    private func with(
        _ name: String = "page.html", gzipAge: Int = 0, isOn: Bool = true,
        _ body: (ServedFolder) async throws -> Void
    ) async throws {
        var options = DirectoryHandler.Options()
        options.sendsPrecompressed = isOn
        try await ServedFolder.with(options: options) { served in
            try served.folder.write("plain content", to: name)
            try served.folder.setTime(of: name, seconds: 1_000_000_000)
            try served.folder.write("gzip!", to: name + ".gz")
            try served.folder.setTime(of: name + ".gz", seconds: 1_000_000_000 + gzipAge)
            try await body(served)
        }
    }

    @Test(
        arguments: [
            ("gzip", true), ("gzip, deflate, br", true), ("*", true), ("gzip;q=0", false),
            ("br", false), ("identity", false), ("gzip;q=0.5, identity", false), (nil, false),
        ] as [(String?, Bool)], ["GET", "HEAD"])
    func `is sent as the client takes it`(_ row: (String?, Bool), _ method: String) async throws {
        try await with { served in
            let fields = row.0.map { ["Accept-Encoding": $0] } ?? [:]
            let response = try await served.ask("/page.html", method: method, fields)
            #expect(response.status == 200)
            #expect(response.fields["content-encoding"] == (row.1 ? "gzip" : nil))
            #expect(response.fields["content-type"] == "text/html; charset=utf-8")
            #expect(response.fields["content-length"] == (row.1 ? "5" : "13"))
            #expect(response.fields["vary"] == "Accept-Encoding")
            if method == "GET" { #expect(response.text == (row.1 ? "gzip!" : "plain content")) }
        }
    }

    @Test func `has a version for each variant`() async throws {
        try await with { served in
            let gzip = ["Accept-Encoding": "gzip"]
            let plainTag = try #require(try await served.ask("/page.html").fields["etag"])
            let gzipTag = try #require(try await served.ask("/page.html", gzip).fields["etag"])
            #expect(plainTag != gzipTag)
            for (tag, status) in [(gzipTag, 304), (plainTag, 200)] {
                let again = try await served.ask(
                    "/page.html", ["Accept-Encoding": "gzip", "If-None-Match": tag])
                #expect(again.status == status)
                #expect(again.fields["vary"] == "Accept-Encoding")
                #expect(again.fields["etag"] == gzipTag)
                #expect(again.fields["content-encoding"] == (status == 200 ? "gzip" : nil))
            }
        }
    }

    @Test func `counts a range in the bytes that are sent`() async throws {
        try await with { served in
            let part = try await served.ask(
                "/page.html", ["Accept-Encoding": "gzip", "Range": "bytes=1-2"])
            #expect(part.status == 206 && part.text == "zi")
            #expect(part.fields["content-range"] == "bytes 1-2/5")
            #expect(part.fields["content-encoding"] == "gzip")
            #expect(part.fields["vary"] == "Accept-Encoding")
            let several = try await served.ask(
                "/page.html", ["Accept-Encoding": "gzip", "Range": "bytes=0-0,3-3"])
            #expect(several.status == 200 && several.text == "gzip!")
        }
    }

    @Test func `is a file of its own when asked for by name`() async throws {
        try await with { served in
            let raw = try await served.ask("/page.html.gz", ["Accept-Encoding": "gzip"])
            #expect(raw.text == "gzip!")
            #expect(raw.fields["content-type"] == "application/gzip")
            #expect(raw.fields["content-encoding"] == nil && raw.fields["vary"] == nil)
        }
    }

    @Test(arguments: [(-1, nil), (0, "gzip"), (1, "gzip")] as [(Int, String?)])
    func `is left aside when it is older`(_ age: Int, _ encoding: String?) async throws {
        try await with(gzipAge: age) { served in
            let response = try await served.ask("/page.html", ["Accept-Encoding": "gzip"])
            #expect(response.fields["content-encoding"] == encoding)
            #expect((response.fields["vary"] != nil) == (encoding != nil))
        }
    }

    @Test(arguments: [("photo.jpg", true), ("page.html", false)])
    func `is left aside where it makes no sense, or is not wanted`(_ name: String, _ isOn: Bool)
        async throws
    {
        try await with(name, isOn: isOn) { served in
            let response = try await served.ask("/\(name)", ["Accept-Encoding": "gzip"])
            #expect(response.text == "plain content")
            #expect(response.fields["content-encoding"] == nil)
        }
    }

    @Test func `is used for an index, and never when it is a folder`() async throws {
        var options = DirectoryHandler.Options()
        options.indexName = "index.html"
        try await ServedFolder.with(options: options) { served in
            try served.folder.write("plain", to: "index.html")
            try served.folder.makeFolder("index.html.gz")
            #expect(try await served.ask("/", ["Accept-Encoding": "gzip"]).text == "plain")
            try served.folder.write("plain", to: "sub.txt")
            try served.folder.write("packed", to: "sub.txt.gz")
            #expect(try await served.ask("/sub.txt", ["Accept-Encoding": "gzip"]).text == "packed")
        }
    }
}
