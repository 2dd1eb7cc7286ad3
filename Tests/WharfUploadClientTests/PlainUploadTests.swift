import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfUploadClient

/// Uploads in one request.
@Suite struct PlainUploadTests {
    private let folder: TemporaryFolder
    private let target: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        target = try TemporaryFolder()
    }

    /// A form's parts, one a line.
    private func formRoute(_ router: Router) {
        router.on(.post, "/form", bodyMax: 1 << 30) { request in
            var lines: [String] = []
            let parts = try request.multipartParts()
            for try await part in parts {
                let type = part.head.contentType.map { "\($0)" } ?? "-"
                let size = try await part.collect(upTo: 1 << 24).count
                lines.append("\(part.head.name)|\(part.head.fileName ?? "-")|\(type)|\(size)")
            }
            return .text(lines.joined(separator: "\n"))
        }
    }

    @Test func `a form has all fields and files, with their names and types`() async throws {
        try folder.write(pattern(3_000_000), to: Array("a.zip".utf8))
        try folder.write("hi", to: "b.txt")
        try await withServer(formRoute) { url in
            var upload = Upload(
                try HTTPURL(url + "/form"),
                files: [
                    UploadFile(folder.path + "/a.zip"),
                    UploadFile(
                        folder.path + "/b.txt", fileName: "w\"ei\r\nrd\\ü.txt", fieldName: "other",
                        contentType: MediaType("text/x")),
                ])
            upload.formFields = [("note", "one\r\ntwo"), ("n\"ame", "")]
            upload.fieldName = "uploadFile"
            let result = try await makeUploads().send(upload)
            #expect(
                result.answer.text == """
                    note|-|-|8
                    n"ame|-|-|0
                    uploadFile|a.zip|application/zip|3000000
                    other|w"ei\r\nrd\\ü.txt|text/x|2
                    """)
            #expect(result.way == .multipart)
        }
    }

    @Test func `a form without files, and with a boundary of the caller's`() async throws {
        try await withServer(formRoute) { url in
            var upload = Upload(try HTTPURL(url + "/form"), files: [], way: .multipart)
            upload.formFields = [("a", "b")]
            upload.boundary = "--KenApp1"
            #expect(try await makeUploads().send(upload).answer.text == "a|-|-|1")
            upload.formFields = [("a", "x\r\n----KenApp1--")]
            await #expect(throws: MultipartFormError.boundary) {
                try await makeUploads().send(upload)
            }
        }
    }

    @Test(arguments: [0, 1, 1_000_000])
    func `a file is put under its name`(size: Int) async throws {
        try folder.write(pattern(size), to: Array("ä b#.bin".utf8))
        let share = try Share(folder: target.path, isWritable: true)
        try await withServer {
            $0.mount("/", DirectoryHandler(share))
        } _: { url in
            var upload = Upload(
                try HTTPURL(url + "/"), files: [UploadFile(folder.path + "/ä b#.bin")], way: .raw)
            upload.sendsDigest = true
            let result = try await makeUploads().send(upload)
            #expect(result.status == .created)
            #expect(target.read("ä b#.bin") == pattern(size))
        }
    }

    @Test func `a refusal is an error that has the answer`() async throws {
        try folder.write("x", to: "f")
        try await withServer { router in
            router.put("/f") { _ in
                Response(status: .init(code: 418), fields: [.eTag: "\"t\""], body: .string("tea"))
            }
        } _: { url in
            let upload = Upload(
                try HTTPURL(url + "/f"), files: [UploadFile(folder.path + "/f")], way: .raw)
            let error = await uploadError { try await makeUploads().send(upload) }
            #expect(error?.kind == .refused)
            #expect(error?.answer?.status.code == 418)
            #expect(error?.answer?.fields[.eTag] == "\"t\"")
            #expect(error?.answer?.text == "tea")
        }
    }

    @Test(arguments: [
        (Upload.Way.raw, 503, 3, true), (.raw, 502, 3, true), (.raw, 500, 1, false),
        (.multipart, 503, 3, true), (.multipart, 502, 1, false), (.multipart, 429, 3, true),
    ])
    func `what a server puts off is sent again, if it may be`(
        way: Upload.Way, status: Int, tries: Int, succeeds: Bool
    ) async throws {
        try folder.write("x", to: "f")
        let count = Locked(0)
        let handler: @Sendable (Request) async throws -> Response = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number < 3 ? Response(status: .init(code: status)) : .text("done")
        }
        try await withServer { router in
            router.put("/f", handler)
            router.post("/f", handler)
        } _: { url in
            let upload = Upload(
                try HTTPURL(url + "/f"), files: [UploadFile(folder.path + "/f")], way: way)
            let uploads = try makeUploads()
            if succeeds {
                let result = try await uploads.send(upload)
                #expect(result.retryCount == 2)
            } else {
                let error = await uploadError { try await uploads.send(upload) }
                #expect(error?.answer?.status.code == status)
            }
            #expect(count.withLock { $0 } == tries)
        }
    }

    @Test
    func `there is an error for a file that can't be read, and for a server that isn't there`()
        async throws
    {
        let uploads = try makeUploads { $0.failureMax = 3 }
        let url = try HTTPURL("http://127.0.0.1:9/")
        for path in ["/missing", ""] {
            let upload = Upload(url, files: [UploadFile(folder.path + path)], way: .raw)
            let error = await uploadError { try await uploads.send(upload) }
            guard case .file? = error?.kind else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        try folder.write("x", to: "f")
        let upload = Upload(url, files: [UploadFile(folder.path + "/f")], way: .raw)
        let error = await uploadError { try await uploads.send(upload) }
        guard case .network(let cause)? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.kind == .notConnected)
    }

    // The request of a helper that many apps have copied: facts of its form, and of its URL.
    @Test func `the request of the helper of old is taken, and its escape is not`() async throws {
        try folder.write(pattern(5000), to: Array("ARCH.zip".utf8))
        try await withServer { router in
            router.on(.post, "/ArchFlow/upload", bodyMax: 1 << 30) { [target] request in
                for try await part in try request.multipartParts() {
                    guard part.head.name == "uploadFile", let name = part.head.fileName else {
                        continue
                    }
                    #expect(part.head.contentType?.essence == "application/zip")
                    guard let path = try? FileName.sanitizedPath(name), path.count == 1 else {
                        throw HTTPError(.badRequest, reason: "no name of a file")
                    }
                    try await part.save(into: target.path, named: path[0])
                }
                return .text("upload file")
            }
        } _: { url in
            var upload = Upload(
                try HTTPURL(url + "/ArchFlow/upload"),
                files: [UploadFile(folder.path + "/ARCH.zip")], way: .multipart)
            upload.fieldName = "uploadFile"
            upload.boundary = "--KenApp299912318"
            let result = try await makeUploads().send(upload)
            #expect(result.answer.text == "upload file")
            #expect(target.read("ARCH.zip") == pattern(5000))
            upload.files[0].fileName = "../evil.zip"
            let error = await uploadError { try await makeUploads().send(upload) }
            #expect(error?.answer?.status == .badRequest)
            #expect(target.read("../evil.zip") == nil)
        }
    }
}
