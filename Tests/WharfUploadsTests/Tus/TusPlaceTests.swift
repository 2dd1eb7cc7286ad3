import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfTesting
import WharfUploads

@Suite(.timeLimit(.minutes(1))) struct `where an upload of tus goes` {
    private func send(
        _ uploads: UploadFolder, _ target: String, _ metadata: [String: String],
        _ body: String = "new"
    ) async throws -> TestResponse {
        try await uploads.tus(
            .post, target,
            [
                .uploadLength: "\(body.utf8.count)",
                .uploadMetadata: UploadFolder.metadata(metadata),
                .contentType: "application/offset+octet-stream",
            ], .text(body))
    }

    @Test func `is the folder that was asked for, with folders below it`() async throws {
        let uploads = try UploadFolder()
        try uploads.folder.makeFolder("photos")
        #expect(
            try await send(uploads, "/photos/", ["filename": "a.jpg"]).status == .created)
        #expect(try uploads.text("photos/a.jpg") == "new")
        let deep = ["filename": "b.jpg", "relativePath": "2026/may/b.jpg"]
        let answer = try await send(uploads, "/photos/", deep)
        #expect(answer.fields[.contentLocation] == "/photos/2026/may/b.jpg")
        #expect(try uploads.text("photos/2026/may/b.jpg") == "new")
        // What Uppy says without a folder.
        let none = ["filename": "c.jpg", "relativePath": "null"]
        #expect(try await send(uploads, "/photos/", none).status == .created)
        #expect(try uploads.text("photos/c.jpg") == "new")
        #expect(try await send(uploads, "/nowhere/", ["filename": "a"]).status == .notFound)
        let collection = try await send(uploads, "/.wharf/uploads/", ["path": "photos/d.jpg"])
        #expect(collection.status == .created)
        #expect(try uploads.text("photos/d.jpg") == "new")
    }

    @Test(arguments: [
        ("keep-both", 201, "old", "new"), ("replace", 201, "new", nil),
        ("refuse", 409, "old", nil), ("what", 400, "old", nil),
    ])
    func `may be a name that is taken`(
        conflict: String, status: Int, kept: String, second: String?
    ) async throws {
        let uploads = try UploadFolder()
        try uploads.folder.write(Array("old".utf8), to: Array("a.txt".utf8))
        let metadata = ["filename": "a.txt", "conflict": conflict]
        #expect(try await send(uploads, "/", metadata).status.code == status)
        #expect(try uploads.text("a.txt") == kept)
        #expect(try uploads.text("a (1).txt") == second)
        #expect(try uploads.names().count == (second == nil ? 1 : 2))
    }

    @Test func `is refused when the name was taken meanwhile`() async throws {
        let uploads = try UploadFolder { $0.nameClash = .refuse }
        let url = try await uploads.create("a.txt", length: 3)
        try uploads.folder.write(Array("old".utf8), to: Array("a.txt".utf8))
        #expect(try await uploads.append("new", to: url, at: 0).status == .conflict)
        #expect(try uploads.text("a.txt") == "old")
        #expect(try uploads.names() == ["a.txt"])
        #expect(try await uploads.offset(of: url) == nil)
    }

    @Test func `is not a hidden name where those are hidden`() async throws {
        let uploads = try UploadFolder()
        #expect(try await send(uploads, "/", ["filename": ".profile"]).status == .forbidden)
        #expect(try uploads.names() == [])
        let open = try UploadFolder(showsHidden: true)
        #expect(try await send(open, "/", ["filename": ".profile"]).status == .created)
        let own = try await send(open, "/", ["path": ".wharf/uploads"])
        #expect(own.status == .badRequest)
    }

    @Test func `keeps uploads apart that end at the same time`() async throws {
        let uploads = try UploadFolder()
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let answer = try await send(
                        uploads, "/", ["filename": "a.txt"], "text \(number)")
                    #expect(answer.status == .created)
                }
            }
            try await group.waitForAll()
        }
        let names = try uploads.names()
        #expect(names.count == 20)
        let texts = Set(try names.compactMap { try uploads.text($0) })
        #expect(texts == Set((0..<20).map { "text \($0)" }))
    }

    @Test func `is asked of the share's delegate`() async throws {
        let uploads = try UploadFolder(delegate: NoText())
        #expect(try await send(uploads, "/", ["filename": "a.txt"]).status == .forbidden)
        #expect(try uploads.names() == [])
        #expect(try await send(uploads, "/", ["filename": "a.jpg"]).status == .created)
    }
}

private struct NoText: ShareDelegate {
    func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool {
        #expect(upload.byteCount == 3)
        return !upload.path.hasSuffix(".txt")
    }
}
