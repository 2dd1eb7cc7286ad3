import TestSupport
import Testing
import WharfCrypto
import WharfHTTP
import WharfServer
import WharfTesting
import WharfUploads

/// The IETF's resumable uploads, in each of their dialects.
@Suite(.timeLimit(.minutes(1))) struct `resumable uploads` {
    /// The interop numbers; `nil` is the final text.
    static let numbers: [Int?] = [3, 4, 5, 6, 7, 8, nil]

    private func fields(_ number: Int?, isComplete: Bool? = nil, _ more: HTTPFields = [:])
        -> HTTPFields
    {
        var fields = more
        fields[.uploadDraftInteropVersion] = number.map { "\($0)" }
        if let isComplete {
            if number == 3 {
                fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
            } else {
                fields[.uploadComplete] = isComplete ? "?1" : "?0"
            }
        }
        return fields
    }

    private func isComplete(_ answer: TestResponse, _ number: Int?) -> Bool? {
        if number == 3 { return answer.fields[.uploadIncomplete].map { $0 == "?0" } }
        return answer.fields[.uploadComplete].map { $0 == "?1" }
    }

    private func append(
        _ uploads: UploadFolder, _ url: String, _ number: Int?, at offset: Int, _ text: String,
        isComplete: Bool, _ more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var all = fields(number, isComplete: isComplete, more)
        all[.uploadOffset] = "\(offset)"
        if number.map({ $0 >= 6 }) ?? true { all[.contentType] = "application/partial-upload" }
        return try await uploads.client.send(.patch, url, fields: all, body: .text(text))
    }

    @Test(arguments: numbers) func `begin carefully, and go on`(number: Int?) async throws {
        let uploads = try UploadFolder()
        let begun = try await uploads.client.send(
            .put, "/a.txt", fields: fields(number, isComplete: false))
        #expect(begun.status == .created)
        #expect(isComplete(begun, number) == false)
        let url = try UploadFolder.path(begun)
        let first = try await append(uploads, url, number, at: 0, "hello", isComplete: false)
        #expect(first.status.kind == .successful)
        #expect(isComplete(first, number) == false)
        let told = try await uploads.client.send(.head, url, fields: fields(number))
        #expect(told.status == .noContent)
        #expect(told.fields[.uploadOffset] == "5")
        #expect(told.fields[.cacheControl] == "no-store")
        #expect(isComplete(told, number) == false)
        #expect(try uploads.text("a.txt") == nil)
        let last = try await append(uploads, url, number, at: 5, " world", isComplete: true)
        #expect(last.status == .created)
        #expect(isComplete(last, number) == true)
        #expect(last.fields[.eTag] != nil)
        #expect(try uploads.text("a.txt") == "hello world")
        #expect(try uploads.names() == ["a.txt"])
        let done = try await uploads.client.send(.head, url, fields: fields(number))
        #expect(isComplete(done, number) == true)
        #expect(done.fields[.uploadOffset] == "11")
    }

    @Test(arguments: numbers) func `may come whole`(number: Int?) async throws {
        let uploads = try UploadFolder()
        let fields = fields(number, isComplete: true)
        let made = try await uploads.client.send(
            .put, "/a.txt", fields: fields, body: .text("one"))
        #expect(made.status == .created)
        #expect(isComplete(made, number) == true)
        let replaced = try await uploads.client.send(
            .put, "/a.txt", fields: fields, body: .text("two"))
        #expect(replaced.status == .noContent)
        #expect(try uploads.text("a.txt") == "two")
        #expect(try uploads.names() == ["a.txt"])
    }

    @Test(arguments: numbers) func `say where they are when asked wrongly`(number: Int?)
        async throws
    {
        let uploads = try UploadFolder()
        let begun = try await uploads.client.send(
            .put, "/a", fields: fields(number, isComplete: false), body: .text("abc"))
        let url = try UploadFolder.path(begun)
        let answer = try await append(uploads, url, number, at: 2, "xyz", isComplete: true)
        #expect(answer.status == .conflict)
        #expect(answer.fields[.uploadOffset] == "3")
        #expect(isComplete(answer, number) == false)
        let hasProblem = number.map { $0 >= 7 } ?? true
        #expect((answer.fields[.contentType] == "application/problem+json") == hasProblem)
        if hasProblem {
            #expect(answer.text.contains("\"expected-offset\":3,\"provided-offset\":2"))
        }
        let last = try await append(uploads, url, number, at: 3, "de", isComplete: true)
        #expect(last.status == .created)
        let again = try await append(uploads, url, number, at: 5, "", isComplete: true)
        #expect(again.status == .badRequest)
        #expect(try uploads.text("a") == "abcde")
    }

    @Test(arguments: numbers) func `can be cancelled`(number: Int?) async throws {
        let uploads = try UploadFolder()
        let begun = try await uploads.client.send(
            .put, "/a", fields: fields(number, isComplete: false), body: .text("abc"))
        let url = try UploadFolder.path(begun)
        #expect(try await uploads.client.send(.delete, url, fields: fields(number)).status == 204)
        #expect(try await uploads.client.send(.head, url, fields: fields(number)).status == 404)
        let answer = try await append(uploads, url, number, at: 3, "d", isComplete: true)
        #expect(answer.status == .notFound)
        #expect(try uploads.names() == [])
    }

    @Test func `have one length, however often it is said`() async throws {
        let uploads = try UploadFolder()
        let wrong = try await uploads.client.send(
            .put, "/a", fields: fields(8, isComplete: true, [.uploadLength: "4"]),
            body: .text("abc"))
        #expect(wrong.status == .badRequest)
        #expect(wrong.text.contains("#inconsistent-upload-length"))
        let begun = try await uploads.client.send(
            .put, "/a", fields: fields(8, isComplete: false, [.uploadLength: "5"]),
            body: .text("abc"))
        let url = try UploadFolder.path(begun)
        let told = try await uploads.client.send(.head, url)
        #expect(told.fields[.uploadLength] == "5")
        let cases: [(String, Bool, HTTPFields)] = [
            ("d", true, [:]), ("defg", false, [:]), ("defg", true, [:]),
            ("de", true, [.uploadLength: "6"]),
        ]
        for (text, isComplete, more) in cases {
            let answer = try await append(
                uploads, url, 8, at: 3, text, isComplete: isComplete, more)
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("#inconsistent-upload-length"))
        }
        let last = try await append(uploads, url, 8, at: 3, "de", isComplete: true)
        #expect(last.status == .created)
        #expect(try uploads.text("a") == "abcde")
    }

    @Test func `do what a PUT there would do`() async throws {
        let uploads = try UploadFolder()
        try uploads.folder.makeFolder("sub")
        try uploads.folder.write("old", to: "a")
        let none = fields(nil, isComplete: false, [.ifNoneMatch: "*"])
        #expect(try await uploads.client.send(.put, "/a", fields: none).status == 412)
        let whole = fields(nil, isComplete: false)
        #expect(try await uploads.client.send(.put, "/sub", fields: whole).status == 405)
        #expect(try await uploads.client.send(.put, "/no/a", fields: whole).status == 409)
        #expect(try await uploads.client.send(.post, "/b", fields: whole).status == 405)
        // Taken while it is on its way.
        let begun = try await uploads.client.send(.put, "/b", fields: none, body: .text("new"))
        let url = try UploadFolder.path(begun)
        try uploads.folder.write("old", to: "b")
        let answer = try await append(uploads, url, nil, at: 3, "", isComplete: true)
        #expect(answer.status == 412)
        #expect(answer.fields[.uploadComplete] == "?1")
        #expect(try uploads.text("b") == "old")
        #expect(try uploads.names() == ["a", "b", "sub"])
    }

    @Test func `take a file by POST on a folder, with its name`() async throws {
        let uploads = try UploadFolder()
        let fields = fields(
            6, isComplete: true,
            [.contentDisposition: "attachment; filename=\"a.txt\"", .contentType: "text/plain"])
        for name in ["a.txt", "a (1).txt"] {
            let answer = try await uploads.client.send(
                .post, "/", fields: fields, body: .text(name))
            #expect(answer.status == .created)
            #expect(try uploads.text(name) == name)
        }
    }

    @Test func `tell their limits, and keep to them`() async throws {
        var sharing = Share.Options()
        sharing.uploadMax = 4
        let uploads = try UploadFolder(sharing: sharing)
        let options = try await uploads.client.send(.options, "/")
        #expect(options.fields[.uploadLimit] == "max-size=4, max-age=86400")
        let old = try await uploads.client.send(.options, "/", fields: fields(6))
        #expect(old.fields[.uploadLimit] == "max-size=4, expires=86400")
        let large = fields(nil, isComplete: false, [.uploadLength: "5"])
        let refused = try await uploads.client.send(.put, "/a", fields: large)
        #expect(refused.status == .contentTooLarge)
        #expect(refused.fields[.uploadLimit] == "max-size=4, max-age=86400")
        let begun = try await uploads.client.send(
            .put, "/a", fields: fields(nil, isComplete: false), body: .text("abc"))
        let url = try UploadFolder.path(begun)
        let more = try await append(uploads, url, nil, at: 3, "de", isComplete: true)
        #expect(more.status == .contentTooLarge)
        #expect(try await append(uploads, url, nil, at: 3, "d", isComplete: true).status == 201)
    }

    @Test func `are compared with their digests`() async throws {
        func digest(_ text: String) -> String {
            "sha-256=:\(Base64.encode(Hash.digest(.sha256, of: Array(text.utf8)))):"
        }
        let uploads = try UploadFolder()
        let begun = try await uploads.client.send(
            .put, "/a",
            fields: fields(nil, isComplete: false, [.reprDigest: digest("abcdef")]))
        let url = try UploadFolder.path(begun)
        let wrong: HTTPFields = [.contentDigest: digest("abd")]
        #expect(
            try await append(uploads, url, nil, at: 0, "abc", isComplete: false, wrong).status
                == .badRequest)
        let right: HTTPFields = [.contentDigest: "crc32c=:AAAA:, " + digest("abc")]
        #expect(
            try await append(uploads, url, nil, at: 0, "abc", isComplete: false, right).status
                == .noContent)
        let last = try await append(uploads, url, nil, at: 3, "dex", isComplete: true)
        #expect(last.status == .badRequest)
        #expect(try uploads.names() == [])
        let wanted: HTTPFields = [
            .reprDigest: digest("abc"), .wantReprDigest: "sha-512=0, sha-256=5",
        ]
        let whole = try await uploads.client.send(
            .put, "/a", fields: fields(nil, isComplete: true, wanted), body: .text("abc"))
        #expect(whole.status == .created)
        #expect(whole.fields[.reprDigest] == digest("abc"))
        #expect(try uploads.text("a") == "abc")
    }
}
