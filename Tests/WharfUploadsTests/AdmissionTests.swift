import TestSupport
import Testing
import WharfHTTP
import WharfServer
import WharfTesting
import WharfUploads

/// What is wrong with an upload is said before any of it is sent.
@Suite struct `Before it begins an upload` {
    private func begin(_ uploads: UploadFolder, _ metadata: [String: String]) async throws
        -> HTTPResponse.Status
    {
        let fields: HTTPFields = [
            .uploadLength: "5", .uploadMetadata: UploadFolder.metadata(metadata),
        ]
        return try await uploads.tus(.post, "/", fields).status
    }

    @Test func `has to have an extension that is allowed`() async throws {
        var sharing = Share.Options()
        sharing.allowedExtensions = ["txt"]
        let uploads = try UploadFolder(sharing: sharing)
        #expect(try await begin(uploads, ["filename": "a.exe"]) == .forbidden)
        #expect(try await begin(uploads, ["path": "new/a.exe"]) == .forbidden)
        let put = try await uploads.client.send(
            .put, "/a.exe", fields: [.uploadComplete: "?0"], body: .text("abc"))
        #expect(put.status == .forbidden)
        #expect(try uploads.names() == [])
        #expect(try await begin(uploads, ["path": "new/a.txt"]) == .created)
    }

    @Test func `has to have a name that is seen`() async throws {
        let uploads = try UploadFolder()
        #expect(try await begin(uploads, ["filename": ".a"]) == .forbidden)
        #expect(try uploads.names() == [])
    }

    @Test func `has to have a name that is free, unless it gets another one`() async throws {
        let uploads = try UploadFolder()
        try uploads.folder.write("old", to: "a")
        try uploads.folder.makeFolder("b")
        for (name, conflict, status) in [
            ("a", "refuse", 409), ("a", "replace", 201), ("a", "keep-both", 201),
            ("b", "refuse", 409), ("b", "replace", 405), ("b", "keep-both", 201),
        ] {
            let found = try await begin(uploads, ["filename": name, "conflict": conflict])
            #expect(found.code == status, "\(name), \(conflict)")
        }
    }

    @Test(
        arguments: [
            (.contentEncoding, "gzip", 415), (.contentRange, "bytes 0-2/5", 400),
            (.ifMatch, "\"other\"", 412), (.ifNoneMatch, "*", 412),
        ] as [(HTTPField.Name, String, Int)])
    func `has to be what a PUT may be`(name: HTTPField.Name, value: String, status: Int)
        async throws
    {
        let uploads = try UploadFolder()
        try uploads.folder.write("old", to: "a")
        let put = try await uploads.client.send(
            .put, "/a", fields: [.uploadComplete: "?0", name: value], body: .text("abc"))
        #expect(put.status.code == status)
        #expect(try uploads.names() == ["a"])
        #expect(try uploads.text("a") == "old")
    }
}
