import Testing
import WharfHTTP
import WharfServer
import WharfTesting
import WharfUploads

@Suite(.timeLimit(.minutes(1))) struct `tus` {
    @Test func `takes a file in several requests, and shows it when it is whole`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a.txt", length: 11)
        #expect(try await uploads.offset(of: url) == 0)
        let first = try await uploads.append("hello", to: url, at: 0)
        #expect(first.status == .noContent)
        #expect(first.fields[.uploadOffset] == "5")
        #expect(first.fields[.tusResumable] == "1.0.0")
        #expect(try uploads.text("a.txt") == nil)
        let listed = try await uploads.client.send(.get, "/")
        #expect(!listed.text.contains(".held"))
        #expect(try await uploads.offset(of: url) == 5)
        let last = try await uploads.append(" world", to: url, at: 5)
        #expect(last.status == .noContent)
        #expect(last.fields[.uploadOffset] == "11")
        #expect(last.fields[.contentLocation] == "/a.txt")
        #expect(try uploads.names() == ["a.txt"])
        #expect(try uploads.text("a.txt") == "hello world")
    }

    @Test func `tells who missed the last answer that the file is there`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a.txt", length: 3)
        #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        #expect(try await uploads.offset(of: url) == 3)
        let again = try await uploads.append("", to: url, at: 3)
        #expect(again.status == .noContent)
        #expect(again.fields[.contentLocation] == "/a.txt")
        #expect(try uploads.names() == ["a.txt"])
    }

    @Test func `refuses bytes that do not follow what there is`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a.txt", length: 6)
        #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        for offset in [0, 2, 4, 6] {
            let answer = try await uploads.append("xyz", to: url, at: offset)
            #expect(answer.status == .conflict)
            #expect(answer.fields[.uploadOffset] == "3")
        }
        #expect(try await uploads.append("def", to: url, at: 3).status == .noContent)
        #expect(try uploads.text("a.txt") == "abcdef")
    }

    @Test func `refuses more bytes than were announced, and keeps the others`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a.txt", length: 4)
        #expect(try await uploads.append("ab", to: url, at: 0).status == .noContent)
        #expect(try await uploads.append("cde", to: url, at: 2).status == .contentTooLarge)
        let chunked: HTTPFields = [
            .uploadOffset: "2", .contentType: "application/offset+octet-stream",
        ]
        let answer = try await uploads.tus(
            .patch, url, chunked, .chunks([Array("c".utf8), Array("de".utf8)]))
        #expect(answer.status == .contentTooLarge)
        #expect(try await uploads.offset(of: url) == 2)
        #expect(try await uploads.append("cd", to: url, at: 2).status == .noContent)
        #expect(try uploads.text("a.txt") == "abcd")
    }

    @Test func `takes an empty file at once, and a small one with its beginning`() async throws {
        let uploads = try UploadFolder()
        _ = try await uploads.create("empty", length: 0)
        #expect(try uploads.text("empty") == "")
        let fields: HTTPFields = [
            .uploadLength: "5", .uploadMetadata: UploadFolder.metadata(["filename": "b"]),
            .contentType: "application/offset+octet-stream",
        ]
        let part = try await uploads.tus(.post, "/", fields, .text("abc"))
        #expect(part.status == .created)
        #expect(part.fields[.uploadOffset] == "3")
        let url = try UploadFolder.path(part)
        #expect(try await uploads.append("de", to: url, at: 3).status == .noContent)
        #expect(try uploads.text("b") == "abcde")
        let whole = try await uploads.tus(.post, "/", fields, .text("ABCDE"))
        #expect(whole.status == .created)
        #expect(whole.fields[.contentLocation] == "/b%20(1)")
        #expect(try uploads.text("b (1)") == "ABCDE")
    }

    @Test func `takes a length that follows later, once`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a", length: nil)
        let told = try await uploads.tus(.head, url)
        #expect(told.fields[.uploadDeferLength] == "1")
        #expect(told.fields[.uploadLength] == nil)
        #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        let short: HTTPFields = [.uploadLength: "2"]
        #expect(try await uploads.append("", to: url, at: 3, short).status == .badRequest)
        let right: HTTPFields = [.uploadLength: "4"]
        #expect(try await uploads.append("", to: url, at: 3, right).status == .noContent)
        let other: HTTPFields = [.uploadLength: "5"]
        #expect(try await uploads.append("d", to: url, at: 3, other).status == .badRequest)
        #expect(try await uploads.append("d", to: url, at: 3).status == .noContent)
        #expect(try uploads.text("a") == "abcd")
    }

    @Test func `ends an upload that is not wanted any more`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a", length: 9)
        #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        #expect(try await uploads.tus(.delete, url).status == .noContent)
        #expect(try await uploads.offset(of: url) == nil)
        #expect(try await uploads.append("d", to: url, at: 3).status == .notFound)
        #expect(try uploads.names() == [])
    }

    @Test func `understands clients that can only POST`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a", length: 3)
        let fields: HTTPFields = [
            .xHTTPMethodOverride: "PATCH", .uploadOffset: "0",
            .contentType: "application/offset+octet-stream",
        ]
        #expect(try await uploads.tus(.post, url, fields, .text("abc")).status == .noContent)
        #expect(try uploads.text("a") == "abc")
        // A reader may GET, and nothing else.
        let other = try await uploads.create("b", length: 3)
        let hidden: HTTPFields = [.xHTTPMethodOverride: "DELETE"]
        #expect(try await uploads.tus(.get, other, hidden).status == .ok)
        #expect(try await uploads.offset(of: other) == 0)
    }

    @Test func `tells what it can beside what the folder can`() async throws {
        let uploads = try UploadFolder()
        let answer = try await uploads.client.send(.options, "/")
        #expect(answer.fields[.allow] == "GET, HEAD, OPTIONS, PUT, POST")
        #expect(answer.fields[.tusVersion] == "1.0.0")
        #expect(answer.fields[.tusExtension]?.contains("concatenation") == true)
        #expect(answer.fields[.tusMaxSize] == nil)
        var sharing = Share.Options()
        sharing.uploadMax = 10
        let bounded = try UploadFolder(sharing: sharing)
        #expect(try await bounded.client.send(.options, "/").fields[.tusMaxSize] == "10")
        let readOnly = try UploadFolder(isWritable: false)
        let plain = try await readOnly.client.send(.options, "/")
        #expect(plain.fields[.tusVersion] == nil)
        #expect(plain.fields[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: [
        (["Upload-Length": "-1"], 400), (["Upload-Length": "1x"], 400),
        (["Upload-Length": "9999999999999999"], 400), ([:], 400),
        (["Upload-Length": "1", "Upload-Defer-Length": "1"], 400),
        (["Upload-Defer-Length": "2"], 400),
        (["Upload-Length": "1", "Upload-Metadata": "filename =,"], 400),
        (["Upload-Length": "1", "Upload-Metadata": "filename Li4="], 400),
        (["Upload-Length": "1", "Upload-Metadata": "path Li4vYQ=="], 400),
        (["Upload-Length": "1", "Upload-Metadata": "path L2V0Yy9h"], 400),
        (["Upload-Length": "1", "Upload-Concat": "both"], 400),
        (["Upload-Length": "1", "Tus-Resumable": "0.2.2"], 412),
        (["Upload-Length": "101"], 413),
    ])
    func `refuses what is wrong`(fields: [String: String], status: Int) async throws {
        var sharing = Share.Options()
        sharing.uploadMax = 100
        let uploads = try UploadFolder(sharing: sharing)
        var all = HTTPFields()
        for (name, value) in fields { all[try #require(HTTPField.Name(name))] = value }
        let answer = try await uploads.tus(.post, "/", all)
        #expect(answer.status.code == status)
        #expect(answer.fields[.tusResumable] == "1.0.0")
        #expect(try uploads.names() == [])
    }
}
