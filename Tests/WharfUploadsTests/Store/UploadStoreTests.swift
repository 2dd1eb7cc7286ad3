import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfServer
import WharfStore
import WharfTesting
import WharfUploads

@Suite(.timeLimit(.minutes(1))) struct `uploads that are kept` {
    @Test func `go on after a restart`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        var url = ""
        do {
            let uploads = try UploadFolder(folder: folder, state: state)
            url = try await uploads.create("a.txt", length: 6)
            #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        }
        let uploads = try UploadFolder(folder: folder, state: state)
        #expect(try await uploads.offset(of: url) == 3)
        #expect(try await uploads.append("def", to: url, at: 3).status == .noContent)
        #expect(try uploads.text("a.txt") == "abcdef")
        #expect(try uploads.names() == ["a.txt"])
    }

    @Test func `survive the sweep, and what nobody knows does not`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        var url = ""
        do {
            let uploads = try UploadFolder(folder: folder, state: state)
            url = try await uploads.create("a.txt", length: 6)
            #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        }
        let known = try UploadFolder.names(in: folder)
        #expect(known.count == 1)
        // Such a file is another server's until it has not been written to for as long as uploads live.
        let young = ".wharf-00000000000000aa.held"
        try folder.write([1], to: Array(young.utf8))
        let old = ".wharf-0123456789abcdef.held"
        try folder.write([1], to: Array(old.utf8))
        try folder.setTime(of: old, seconds: 1)
        try folder.write([1], to: Array(".wharf-0123456789abcdef.part".utf8))
        let left = (known + [young]).sorted()
        let uploads = try UploadFolder(folder: folder, state: state)
        // A thread does it; two seconds are a hundred times what it takes.
        for _ in 0..<200 {
            guard try uploads.names() != left else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try uploads.names() == left)
        #expect(try await uploads.offset(of: url) == 3)
    }

    /// A process that ends between the bytes and the look at their checksum.
    @Test func `count no bytes that were not checked when the process ended`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        var url = ""
        do {
            let uploads = try UploadFolder(folder: folder, state: state)
            url = try await uploads.create("a.txt", length: 6)
            #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        }
        let part = try #require(UploadFolder.names(in: folder).first)
        try folder.write(Array("abcxy".utf8), to: Array(part.utf8))
        do {
            let database = try Database(path: state.path + "/uploads.sqlite")
            try database.run("UPDATE upload SET floor = 3")
        }
        let uploads = try UploadFolder(folder: folder, state: state)
        #expect(try await uploads.offset(of: url) == 3)
        #expect(try await uploads.append("xy", to: url, at: 5).status == .conflict)
        #expect(try await uploads.append("def", to: url, at: 3).status == .noContent)
        #expect(try uploads.text("a.txt") == "abcdef")
    }

    @Test func `get their name when the process ended before it`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        var url = ""
        do {
            let uploads = try UploadFolder(folder: folder, state: state)
            url = try await uploads.create("a.txt", length: 3)
        }
        // What a process leaves that is killed between the last byte and the name.
        let part = try #require(UploadFolder.names(in: folder).first)
        try folder.write(Array("abc".utf8), to: Array(part.utf8))
        let uploads = try UploadFolder(folder: folder, state: state)
        #expect(try await uploads.offset(of: url) == 3)
        #expect(try uploads.names() == ["a.txt"])
        #expect(try uploads.text("a.txt") == "abc")
    }

    @Test func `are known to have their name when the process ended behind it`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        var url = ""
        do {
            let uploads = try UploadFolder(folder: folder, state: state)
            url = try await uploads.create("a.txt", length: 3)
            #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        }
        // What such a process leaves: the file, and a record that does not know of it yet.
        let id = try #require(url.split(separator: "/").last)
        do {
            let database = try Database(path: state.path + "/uploads.sqlite")
            let status = try RootedDirectory(path: folder.path, system: .withoutLoop)
                .open("a.txt", cachedOnly: false).get().status
            try database.run(
                """
                UPDATE upload SET outcome_count = NULL, outcome_path = NULL,
                    attempt_path = '/a.txt', attempt_inode = ? WHERE id = ?
                """, .integer(Int64(bitPattern: status.inode)), .text(String(id)))
        }
        let uploads = try UploadFolder(folder: folder, state: state)
        #expect(try await uploads.offset(of: url) == 3)
        #expect(try await uploads.append("", to: url, at: 3).fields[.contentLocation] == "/a.txt")
        #expect(try uploads.names() == ["a.txt"])
    }

    @Test func `are nobody's but the user's who began them`() async throws {
        let uploads = try UploadFolder()
        let url = try await uploads.create("a", length: 6, [.from: "one"])
        let (one, two): (HTTPFields, HTTPFields) = ([.from: "one"], [.from: "two"])
        #expect(try await uploads.tus(.head, url, two).status == .notFound)
        #expect(try await uploads.tus(.head, url).status == .notFound)
        #expect(try await uploads.append("abc", to: url, at: 0, two).status == .notFound)
        #expect(try await uploads.tus(.delete, url, two).status == .notFound)
        #expect(try await uploads.append("abc", to: url, at: 0, one).status == .noContent)
        #expect(try await uploads.tus(.head, url, one).fields[.uploadOffset] == "3")
    }

    @Test func `expire, and leave nothing`() async throws {
        let uploads = try UploadFolder { $0.lifetime = .seconds(1) }
        let url = try await uploads.create("a", length: 6)
        #expect(try await uploads.append("abc", to: url, at: 0).status == .noContent)
        #expect(try uploads.names().count == 1)
        for _ in 0..<40 {
            guard try await uploads.offset(of: url) != nil else { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(try await uploads.offset(of: url) == nil)
        #expect(try uploads.names() == [])
    }

    @Test func `are bounded in number and size for each user`() async throws {
        let uploads = try UploadFolder {
            $0.countMaxPerUser = 2
            $0.byteCountMaxPerUser = 100
        }
        func begin(_ length: Int, _ user: String) async throws -> TestResponse {
            try await uploads.tus(.post, "/", [.uploadLength: "\(length)", .from: user])
        }
        #expect(try await begin(101, "one").status == .insufficientStorage)
        let first = try await begin(60, "one")
        #expect(first.status == .created)
        #expect(try await begin(41, "one").status == .insufficientStorage)
        #expect(try await begin(40, "one").status == .created)
        #expect(try await begin(0, "one").status == .tooManyRequests)
        #expect(try await begin(100, "two").status == .created)
        let url = try UploadFolder.path(first)
        #expect(try await uploads.tus(.delete, url, [.from: "one"]).status == .noContent)
        #expect(try await begin(60, "one").status == .created)
    }

    @Test func `are bounded by what has come where nobody has said how long they will be`()
        async throws
    {
        let uploads = try UploadFolder { $0.byteCountMaxPerUser = 10 }
        let url = try await uploads.create("a", length: nil)
        #expect(try await uploads.append("12345678", to: url, at: 0).status == .noContent)
        #expect(try await uploads.append("901", to: url, at: 8).status == .contentTooLarge)
        func begin(_ length: Int) async throws -> HTTPResponse.Status {
            try await uploads.tus(.post, "/", [.uploadLength: "\(length)"]).status
        }
        #expect(try await begin(3) == .insufficientStorage)
        #expect(try await begin(2) == .created)
        // The other one has its own room, and no more.
        #expect(try await uploads.append("9", to: url, at: 8).status == .contentTooLarge)
        let long = try await uploads.append("", to: url, at: 8, [.uploadLength: "9"])
        #expect(long.status == .insufficientStorage)
        let whole = try await uploads.append("", to: url, at: 8, [.uploadLength: "8"])
        #expect(whole.status == .noContent)
        #expect(try uploads.text("a") == "12345678")
    }

    @Test func `are not begun where there is no room`() async throws {
        let uploads = try UploadFolder()
        let answer = try await uploads.tus(.post, "/", [.uploadLength: "999999999999999"])
        #expect(answer.status == .insufficientStorage)
        #expect(try uploads.names() == [])
    }

    @Test func `keep what came before the connection broke`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        try await TestServer.run(try UploadFolder.router(folder, state)) { client async throws in
            let created = try await client.send(
                .post, "/",
                fields: [
                    .tusResumable: "1.0.0", .uploadLength: "9",
                    .uploadMetadata: UploadFolder.metadata(["filename": "a"]),
                ])
            let url = try UploadFolder.path(created)
            let fields: HTTPFields = [
                .tusResumable: "1.0.0", .uploadOffset: "0",
                .contentType: "application/offset+octet-stream",
            ]
            _ = try? await client.send(
                .patch, url, fields: fields, body: .cut(Array("abcde".utf8), of: 9))
            let told = try await client.send(.head, url, fields: [.tusResumable: "1.0.0"])
            #expect(told.fields[.uploadOffset] == "5")
        }
        #expect(try UploadFolder.names(in: folder).allSatisfy { $0.hasSuffix(".held") })
    }
}
