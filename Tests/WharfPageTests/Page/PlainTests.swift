import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting

@Suite struct `The page without scripts` {
    private func folder() throws -> SharedFolder {
        let shared = try SharedFolder()
        try shared.folder.makeFolder("sub")
        try shared.folder.write("text", to: "<b>.txt")
        return shared
    }

    /// The cookie, and the text of the form's token.
    private func token(_ page: TestResponse) throws -> (cookie: String, text: String) {
        let cookie = try #require(page.fields[.setCookie]).prefix { $0 != ";" }
        let start = try #require(page.text.firstRange(of: "name=\"token\" value=\"")).upperBound
        return (String(cookie), String(page.text[start...].prefix { $0 != "\"" }))
    }

    @Test func `lists and links`() async throws {
        let page = try await folder().page("/?plain")
        #expect(page.text.contains("&lt;b&gt;.txt</a>"))
        #expect(page.text.contains("href=\"sub/?plain\""))
        #expect(!page.text.contains("<script") && !page.text.contains("<b>.txt"))
        #expect(page.fields[.cacheControl] == "no-store")
        let cookie = try #require(page.fields[.setCookie])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    }

    @Test(arguments: [("de", "Hochladen"), ("ja", "アップロード"), ("nl", "Upload")])
    func `is in the user's language`(_ language: String, _ text: String) async throws {
        let page = try await folder().page("/?plain", [.acceptLanguage: language])
        #expect(page.text.contains("<button>\(text)</button>"))
    }

    @Test func `takes files, makes folders and deletes`() async throws {
        let shared = try folder()
        let (cookie, token) = try token(try await shared.page("/sub/?plain"))
        let fields: HTTPFields = [.cookie: cookie]
        let upload = try await shared.form(
            "/.wharf/form", fields: [("token", token), ("path", "/sub"), ("action", "upload")],
            files: [("1.txt", "one"), ("2.txt", "two")], fields)
        #expect(upload.status == .seeOther)
        #expect(upload.fields[.location] == "../sub/?plain")
        let create = try await shared.form(
            "/.wharf/form", "token=\(token)&path=/&action=create&name=new", fields)
        #expect(create.fields[.location] == "../?plain")
        let delete = try await shared.form(
            "/.wharf/form", "token=\(token)&path=/sub&action=delete&item=1.txt", fields)
        #expect(delete.status == .seeOther)
        #expect(shared.names == ["<b>.txt", "new/", "sub/", "sub/2.txt"])
    }

    @Test func `refuses forms without its token`() async throws {
        let shared = try folder()
        let (cookie, token) = try token(try await shared.page("/?plain"))
        let other = try self.token(try await shared.page("/?plain"))
        for (cookie, token) in [
            (cookie, ""), (cookie, String(token.reversed())), ("", token), (other.cookie, token),
            ("wharf-form=x", token),
        ] {
            let answer = try await shared.form(
                "/.wharf/form", "token=\(token)&path=/&action=create&name=new", [.cookie: cookie])
            #expect(answer.status == .forbidden)
        }
        #expect(!shared.names.contains("new/"))
    }

    @Test(arguments: ["item=../x", "item=..", "item=a%2Fb", "item=.hidden", "item=", "x=1"])
    func `deletes nothing outside of the folder`(_ item: String) async throws {
        let shared = try folder()
        try shared.folder.write("x", to: "x")
        let (cookie, token) = try token(try await shared.page("/sub/?plain"))
        _ = try await shared.form(
            "/.wharf/form", "token=\(token)&path=/sub&action=delete&\(item)", [.cookie: cookie])
        #expect(shared.names == ["<b>.txt", "sub/", "x"])
    }

    @Test func `has no forms for those who may only read`() async throws {
        let shared = try SharedFolder(isWritable: false)
        #expect(try await !shared.page("/?plain").text.contains("<form"))
    }
}
