import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfPage
import WharfServer
import WharfTesting
import WharfUploads

@Suite struct `An archive of a folder` {
    private func folder() throws -> SharedFolder {
        let shared = try SharedFolder()
        try shared.folder.makeFolder("a")
        try shared.folder.makeFolder("a/deep")
        try shared.folder.makeFolder("a/empty")
        try shared.folder.makeFolder(".hidden")
        try shared.folder.write("one", to: "a/1.txt")
        try shared.folder.write(String(repeating: "x", count: 700_000), to: "a/deep/2.txt")
        try shared.folder.write("no", to: "a/.secret")
        try shared.folder.write("no", to: ".hidden/x")
        try shared.folder.write("\u{FC}", to: "\u{FC} %&.txt")
        try shared.folder.link("a/inside", to: "1.txt")
        try shared.folder.link("a/outside", to: "/etc/passwd")
        return shared
    }

    private func entries(_ answer: TestResponse) throws -> [String: Int] {
        #expect(answer.status == .ok && answer.isComplete)
        let archive = try ZipArchive(answer.body)
        return Dictionary(uniqueKeysWithValues: archive.entries.map { ($0.name, $0.bytes.count) })
    }

    @Test func `has all that may be seen`() async throws {
        let shared = try folder()
        let whole = try await shared.client.get("/.wharf/zip?path=/")
        #expect(
            try entries(whole) == [
                "a/": 0, "a/deep/": 0, "a/empty/": 0, "a/1.txt": 3, "a/inside": 3,
                "a/deep/2.txt": 700_000, "\u{FC} %&.txt": 2,
            ])
        let part = try await shared.client.get("/.wharf/zip?path=/a/deep/")
        #expect(try entries(part) == ["deep/": 0, "deep/2.txt": 700_000])
        #expect(part.fields[.contentDisposition] == "attachment; filename=\"deep.zip\"")
    }

    @Test func `has what is named`() async throws {
        let shared = try folder()
        let names =
            "path=/&name=\(PercentEncoding.encode("%C3%BC%20%25%26.txt", for: .query))&name=none"
        let wanted = ["\u{FC} %&.txt": 2]
        #expect(try entries(try await shared.client.get("/.wharf/zip?\(names)")) == wanted)
        #expect(try entries(try await shared.form("/.wharf/zip", names)) == wanted)
    }

    /// More names than a URL holds come by POST, from people who may only read, too.
    @Test(arguments: ["/", "/mount"], [false, true])
    func `is for readers, however they ask`(mount: String, isPublic: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("one", to: "a")
        let share = try Share(folder: folder.path, isWritable: true)
        var users = UserList(realm: "r")
        try users.add("r", password: "p", access: .reader)
        var options = Authentication.Options()
        options.isReadingPublic = isPublic
        let router = Router()
        router.use(Authentication(BasicAuthentication(users: users), options: options))
        router.mount(mount, try ResumableUploads(share, before: ShareHandler(share)))
        let client = TestClient(router)
        let prefix = mount == "/" ? "" : mount
        let login: HTTPFields =
            isPublic ? [:] : [.authorization: "Basic " + Base64.encode(Array("r:p".utf8))]
        func post(_ path: String, _ more: HTTPFields = [:]) async throws -> TestResponse {
            var fields = login
            fields[.contentType] = "application/x-www-form-urlencoded"
            for field in more { fields[field.name] = field.value }
            return try await client.post(
                prefix + path, fields: fields, body: .text("path=/&name=a"))
        }
        #expect(try entries(try await post("/.wharf/zip")) == ["a": 3])
        let refused: HTTPResponse.Status = isPublic ? .unauthorized : .forbidden
        for path in [
            "/", "/.wharf/delete", "/.wharf/create", "/.wharf/zip/", "/.wharf/ZIP", "/a",
            "/.wharf/uploads/", "/.wharf/zip/../delete", "/delete",
        ] {
            let status = try await post(path).status
            #expect(status == refused || status == .badRequest, "\(path): \(status)")
        }
        // What is said of a method in a field makes it no other request.
        let method = try #require(HTTPField.Name("X-HTTP-Method-Override"))
        let overridden = try await post("/.wharf/zip", [method: "DELETE", .tusResumable: "1.0.0"])
        #expect(overridden.status != .noContent)
        #expect(try await client.get(prefix + "/a", fields: login).status == .ok)
    }

    @Test(
        arguments: [
            "path=/none", "path=/a/1.txt", "path=/.hidden/", "path=/a/../..", "path=/&name=..",
            "path=/&name=a/1.txt", "path=/&name=.hidden", "path=/a/&name=..%2F..%2Fx",
        ])
    func `reaches nothing else`(_ query: String) async throws {
        let status = try await folder().client.get("/.wharf/zip?\(query)").status
        #expect(status == .notFound || status == .badRequest)
    }

    @Test func `has only what the delegate lets through`() async throws {
        let shared = try folder()
        let guarded = try SharedFolder(shared.folder, delegate: NoDeepFiles())
        #expect(
            try entries(try await guarded.client.get("/.wharf/zip?path=/a/")) == [
                "a/": 0, "a/deep/": 0, "a/empty/": 0, "a/1.txt": 3, "a/inside": 3,
            ])
    }
}

private struct NoDeepFiles: ShareDelegate {
    func shouldDownload(_ path: String, for request: Request) async throws -> Bool {
        !path.contains("deep")
    }
}
