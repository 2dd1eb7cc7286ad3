import TestSupport
import Testing
import WharfHTTP
import WharfPage
import WharfServer
import WharfTesting
import WharfUploads

/// What the article about the page shows.
@Suite struct `The snippets of the article about the page` {
    @Test func `work`() async throws {
        let folder = try TemporaryFolder()
        let documents = folder.path
        let hooks = NoEmptyFiles()
        let router = Router()
        let share = try Share(folder: documents, isWritable: true, delegate: hooks)
        router.mount("/", try ShareHandler(share, title: "My iPad"))
        router.mount("/up", UploaderHandler(share))
        var options = PageOptions()
        options.title = "Holiday photos"
        options.prologue = "Please upload your photos of the lake."
        options.files.showsHidden = false
        let page = try ShareHandler(share, options: options)
        router.mount("/kept", try ResumableUploads(share, before: page))
        var sharing = Share.Options()
        sharing.allowedExtensions = ["jpg", "jpeg", "png", "heic"]
        sharing.uploadMax = 100_000_000
        let photos = try Share(folder: documents, isWritable: true, options: sharing)
        router.mount("/photos", UploaderHandler(photos))

        let client = TestClient(router)
        for (target, title) in [("/", "My iPad"), ("/up/", ""), ("/kept/", "Holiday photos")] {
            let answer = try await client.get(target, fields: [.accept: "text/html"])
            #expect(answer.text.contains("data-title=\"\(title)"))
        }
        #expect(try await client.put("/a.txt", body: .text("a")).status == .created)
        #expect(try await client.put("/b.txt", body: .text("")).status == .forbidden)
        #expect(try await client.put("/photos/b.txt", body: .text("b")).status == .forbidden)
        #expect(try await client.put("/photos/b.jpg", body: .text("b")).status == .created)
    }
}

struct NoEmptyFiles: ShareDelegate {
    func shouldUpload(_ upload: ShareUpload, for request: Request) async throws -> Bool {
        upload.byteCount > 0
    }
}
