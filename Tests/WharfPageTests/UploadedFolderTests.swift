import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting
import WharfUploads
import WharfWebDAV

@Suite struct `A folder that is uploaded into a drive` {
    private func send(_ client: TestClient, _ path: String) async throws -> TestResponse {
        let metadata = [("filename", "b.jpg"), ("relativePath", path)]
            .map { "\($0.0) \(Base64.encode(Array($0.1.utf8)))" }.joined(separator: ",")
        return try await client.send(
            .post, "/",
            fields: [
                .tusResumable: "1.0.0", .uploadLength: "3", .uploadMetadata: metadata,
                .contentType: "application/offset+octet-stream",
            ], body: .text("new"))
    }

    @Test func `is made by the drive, which heeds its locks`() async throws {
        let folder = try TemporaryFolder()
        let share = try Share(folder: folder.path, isWritable: true)
        let router = Router()
        router.mount("/", try ResumableUploads(share, before: WebDAVHandler(share)))
        let client = TestClient(router)
        let body = """
            <?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope>\
            <locktype><write/></locktype></lockinfo>
            """
        #expect(try await client.send(.mkcol, "/locked").status == .created)
        let lock = try await client.send(.lock, "/locked", body: .text(body))
        #expect(lock.status == .ok)
        #expect(try await send(client, "locked/2026/b.jpg").status == .locked)
        #expect(try await client.send(.get, "/locked/2026/").status == .notFound)
        #expect(try await send(client, "free/2026/b.jpg").status == .created)
        #expect(try await client.send(.get, "/free/2026/b.jpg").text == "new")
    }
}
