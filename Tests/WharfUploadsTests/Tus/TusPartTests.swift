import TestSupport
import Testing
import WharfCrypto
import WharfHTTP
import WharfTesting
import WharfUploads

@Suite(.timeLimit(.minutes(1))) struct `parts of uploads in tus` {
    private func checksum(_ algorithm: HashAlgorithm, _ text: String) -> String {
        Base64.encode(Hash.digest(algorithm, of: Array(text.utf8)))
    }

    @Test(arguments: [("sha1", HashAlgorithm.sha1), ("sha256", .sha256)])
    func `are compared with their checksums`(name: String, algorithm: HashAlgorithm) async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a", length: 6)
        let wrong: HTTPFields = [.uploadChecksum: "\(name) \(checksum(algorithm, "xyz"))"]
        let refused = try await uploads.append("abc", to: url, at: 0, wrong)
        #expect(refused.status.code == 460)
        #expect(try await uploads.offset(of: url) == 0)
        let right: HTTPFields = [.uploadChecksum: "\(name) \(checksum(algorithm, "abc"))"]
        #expect(try await uploads.append("abc", to: url, at: 0, right).status == .noContent)
        #expect(try await uploads.append("dex", to: url, at: 3, wrong).status.code == 460)
        #expect(try await uploads.offset(of: url) == 3)
        #expect(try await uploads.append("def", to: url, at: 3).status == .noContent)
        #expect(try uploads.text("a") == "abcdef")
    }

    @Test(arguments: ["crc32 AAAAAA==", "sha1", "sha1 ***", "", "sha1  AAAA"])
    func `have no checksums that nobody understands`(value: String) async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a", length: 3)
        let answer = try await uploads.append("abc", to: url, at: 0, [.uploadChecksum: value])
        #expect(answer.status == .badRequest)
        #expect(try await uploads.offset(of: url) == 0)
    }

    @Test func `may have their checksum behind them`() async throws {
        let folder = try UploadFolder()
        let router = try UploadFolder.router(folder.folder, try .init())
        try await TestServer.run(router) { client async throws in
            let created = try await client.send(
                .post, "/",
                fields: [
                    .tusResumable: "1.0.0", .uploadLength: "3",
                    .uploadMetadata: UploadFolder.metadata(["filename": "a"]),
                ])
            let url = try UploadFolder.path(created)
            for (digest, status) in [(checksum(.sha1, "xyz"), 460), (checksum(.sha1, "abc"), 204)] {
                let text = [
                    "PATCH \(url) HTTP/1.1", "Host: localhost", "Tus-Resumable: 1.0.0",
                    "Upload-Offset: 0", "Content-Type: application/offset+octet-stream",
                    "Transfer-Encoding: chunked", "Trailer: Upload-Checksum", "", "3", "abc", "0",
                    "Upload-Checksum: sha1 \(digest)", "", "",
                ].joined(separator: "\r\n")
                let answer = try await client.send(Array(text.utf8), method: .patch)
                #expect(answer.status.code == status)
            }
        }
        #expect(try folder.text("a") == "abc")
    }

    @Test func `are joined into one file`() async throws {
        let uploads = try UploadFolder()
        var urls: [String] = []
        for text in ["abc", "", "defg"] {
            let part = try await uploads.tus(
                .post, "/", [.uploadLength: "\(text.utf8.count)", .uploadConcat: "partial"])
            #expect(part.status == .created)
            let url = try UploadFolder.path(part)
            if !text.isEmpty {
                #expect(try await uploads.append(text, to: url, at: 0).status == .noContent)
            }
            urls.append(url)
        }
        #expect(try await uploads.tus(.head, urls[0]).fields[.uploadConcat] == "partial")
        let concat = "final;" + urls.joined(separator: " ")
        let fields: HTTPFields = [
            .uploadConcat: concat, .uploadMetadata: UploadFolder.metadata(["filename": "all"]),
        ]
        let final = try await uploads.tus(.post, "/", fields)
        #expect(final.status == .created)
        #expect(try uploads.text("all") == "abcdefg")
        #expect(try uploads.names() == ["all"])
        let url = try UploadFolder.path(final)
        let told = try await uploads.tus(.head, url)
        #expect(told.fields[.uploadConcat] == concat)
        #expect(told.fields[.uploadLength] == "7")
        #expect(try await uploads.append("", to: url, at: 7).status == .forbidden)
        #expect(try await uploads.offset(of: urls[0]) == nil)
    }

    @Test func `are not joined before they are complete, nor by others`() async throws {
        let uploads = try UploadFolder()
        let part = try await uploads.tus(
            .post, "/", [.uploadLength: "3", .uploadConcat: "partial", .from: "one"])
        let url = try UploadFolder.path(part)
        let fields: HTTPFields = [.uploadConcat: "final;\(url)", .from: "one"]
        #expect(try await uploads.tus(.post, "/", fields).status == .conflict)
        #expect(
            try await uploads.append("abc", to: url, at: 0, [.from: "one"]).status == .noContent)
        let twice: HTTPFields = [.uploadConcat: "final;\(url) \(url)", .from: "one"]
        #expect(try await uploads.tus(.post, "/", twice).status == .badRequest)
        let others: HTTPFields = [.uploadConcat: "final;\(url)", .from: "two"]
        #expect(try await uploads.tus(.post, "/", others).status == .notFound)
        #expect(try await uploads.tus(.post, "/", fields).status == .created)
    }
}
