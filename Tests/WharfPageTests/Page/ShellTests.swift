import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting
@testable import WharfPage

@Suite struct `The page` {
    private static let browser: HTTPFields = [.accept: "text/html,*/*;q=0.8"]

    private func folder(isDrive: Bool = true, _ options: PageOptions = PageOptions()) throws
        -> SharedFolder
    {
        let shared = try SharedFolder(isDrive: isDrive, options: options)
        try shared.folder.makeFolder("sub")
        try shared.folder.write("text", to: "a.txt")
        return shared
    }

    @Test(arguments: [true, false])
    func `is what browsers get of a folder`(_ isDrive: Bool) async throws {
        let shared = try folder(isDrive: isDrive)
        for (target, root) in [("/", "./"), ("/sub/", "../")] {
            let page = try await shared.page(target)
            #expect(page.status == .ok)
            #expect(page.text.contains("<script src=\"\(root).wharf/page.js?v="))
            #expect(page.fields[.contentSecurityPolicy]?.contains("script-src 'self';") == true)
        }
    }

    @Test(
        arguments: [
            ("/", "*/*", "<table>"), ("/", "application/json", "\"entries\""),
            ("/", "application/json, text/html;q=0.5", "\"entries\""),
            ("/a.txt", "text/html", "text"),
        ])
    func `leaves the rest as it is`(_ target: String, _ accept: String, _ part: String)
        async throws
    {
        let answer = try await folder().client.get(target, fields: [.accept: accept])
        #expect(answer.status == .ok)
        #expect(answer.text.contains(part))
        #expect(!answer.text.contains("page.js"))
    }

    @Test(arguments: ["/none/", "/a.txt/", "/.hidden/", "/sub//"])
    func `is not there for what is no folder`(_ target: String) async throws {
        let shared = try folder(isDrive: false)
        try shared.folder.makeFolder(".hidden")
        let status = try await shared.page(target).status
        #expect(status == .notFound || status == .badRequest)
    }

    @Test func `leads to a folder's address with a slash`() async throws {
        let answer = try await folder().page("/sub")
        #expect(answer.status == .permanentRedirect)
        #expect(answer.fields[.location] == "/sub/")
    }

    @Test func `makes way for an index`() async throws {
        var options = PageOptions()
        options.files.indexName = "index.html"
        let shared = try folder(options)
        try shared.folder.write("<p>mine", to: "index.html")
        #expect(try await shared.page("/").text == "<p>mine")
        #expect(try await shared.page("/sub/").text.contains("page.js"))
    }

    @Test func `shows the texts of its options as they are`() async throws {
        var options = PageOptions()
        options.title = "<b>T & \"t\"</b>"
        options.header = "<i>header"
        options.prologue = "%title% <u>"
        options.epilogue = "'epilogue'"
        options.footer = "<script>alert(1)</script>"
        let text = try await folder(options).page("/").text
        #expect(text.contains("<title>&lt;b&gt;T &amp; &quot;t&quot;&lt;/b&gt;</title>"))
        #expect(text.contains("&lt;i&gt;header"))
        #expect(text.contains("%title% &lt;u&gt;"))
        #expect(text.contains("&#39;epilogue&#39;"))
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }

    @Test(
        arguments: [
            ("", "", "en"), ("de-AT, en;q=0.5", "", "de"), ("zh-Hans-CN", "", "zh"),
            ("nl, fr;q=0.2, ja;q=0.9", "", "ja"), ("nl", "", "en"), ("de", "?lang=es", "es"),
            ("fr", "?lang=xx", "fr"), ("fr;q=0", "", "en"),
        ])
    func `is in the user's language`(_ accept: String, _ query: String, _ language: String)
        async throws
    {
        let fields: HTTPFields = accept.isEmpty ? [:] : [.acceptLanguage: accept]
        let page = try await folder().page("/" + query, fields)
        #expect(page.text.contains("<html lang=\"\(language)\">"))
        #expect(page.fields[.vary]?.contains("Accept-Language") == true)
    }

    @Test func `knows what may be changed`() async throws {
        #expect(try await folder().page("/").text.contains("data-writable=\"yes\""))
        let reader = AuthenticatedUser(name: "r", access: .reader)
        let read = try SharedFolder(user: reader)
        #expect(try await read.page("/").text.contains("data-writable=\"no\""))
        let fixed = try SharedFolder(isWritable: false)
        #expect(try await fixed.page("/").text.contains("data-writable=\"no\""))
    }

    @Test func `is not sent again while it is the same`() async throws {
        let shared = try folder()
        let tag = try #require(try await shared.page("/").fields[.eTag])
        #expect(try await shared.page("/", [.ifNoneMatch: tag]).status == .notModified)
    }

    @Test(arguments: ["page.js", "page.css", "icon.svg"])
    func `has its parts below one prefix`(_ name: String) async throws {
        let shared = try folder()
        let plain = try await shared.client.get("/.wharf/\(name)")
        let packed = try await shared.client.get(
            "/.wharf/\(name)", fields: [.acceptEncoding: "gzip"])
        #expect(plain.status == .ok && packed.status == .ok)
        #expect(packed.content == plain.body)
        #expect(packed.body.count < plain.body.count)
        let tag = try #require(packed.fields[.eTag])
        #expect(tag != plain.fields[.eTag])
        let again = try await shared.client.get(
            "/.wharf/\(name)", fields: [.acceptEncoding: "gzip", .ifNoneMatch: tag])
        #expect(again.status == .notModified)
        #expect(try await shared.client.post("/.wharf/\(name)", body: .none).status.code == 405)
    }

    @Test func `weighs less than 60 KB`() async throws {
        let shared = try folder()
        var count = 0
        let page = try await shared.page("/", [.acceptEncoding: "gzip"])
        count += page.body.count
        for name in ["page.js", "page.css", "icon.svg"] {
            count += try await shared.client.get(
                "/.wharf/\(name)", fields: [.acceptEncoding: "gzip"]
            ).body.count
        }
        #expect(count < 60_000)
    }

    @Test func `keeps what is uploaded from running`() async throws {
        let shared = try folder()
        try shared.folder.write("<script>1</script>", to: "a.html")
        try shared.folder.write("%PDF-", to: "a.pdf")
        let page = try await shared.client.get("/a.html")
        #expect(page.fields[.contentSecurityPolicy] == "sandbox")
        #expect(page.fields[.xContentTypeOptions] == "nosniff")
        // Browsers' viewers of PDF don't start in a sandbox.
        let document = try await shared.client.get("/a.pdf")
        #expect(document.fields[.contentSecurityPolicy] == nil)
        let fixed = try SharedFolder(shared.folder, isWritable: false)
        #expect(try await fixed.client.get("/a.html").fields[.contentSecurityPolicy] == nil)
    }

    @Test(
        arguments: [
            ("?text=http://10.0.0.1:8080/", 200), ("", 400), ("?text=", 400),
            ("?text=" + String(repeating: "x", count: 214), 413),
            ("?text=%22%3E%3Cscript%3E", 200),
        ])
    func `has its address as a picture`(_ query: String, _ status: Int) async throws {
        let answer = try await folder().client.get("/.wharf/qr\(query)")
        #expect(answer.status.code == status)
        guard status == 200 else { return }
        #expect(answer.fields[.contentType] == "image/svg+xml")
        #expect(answer.text.hasPrefix("<svg ") && !answer.text.contains("script"))
    }

    @Test func `works below a prefix`() async throws {
        let shared = try SharedFolder(at: "/up")
        try shared.folder.makeFolder("sub")
        let page = try await shared.page("/up/sub/")
        #expect(page.text.contains("<script src=\"../.wharf/page.js"))
        #expect(try await shared.client.get("/up/.wharf/page.js").status == .ok)
        let made = try await shared.client.post(
            "/up/.wharf/create", fields: [.contentType: "application/json"],
            body: .text("{\"path\": \"/new\"}"))
        #expect(made.text == "{\"path\":\"/new\"}")
        #expect(shared.names == ["new/", "sub/"])
    }
}
