import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfUploadClient
import WharfUploads

/// Uploads that go on where they broke off.
@Suite struct ResumableUploadTests {
    private let folder: TemporaryFolder
    private let target: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        target = try TemporaryFolder()
    }

    private func upload(_ url: String, _ size: Int, _ way: Upload.Way) throws -> Upload {
        try folder.write(pattern(size), to: Array("f.bin".utf8))
        return Upload(try HTTPURL(url), files: [UploadFile(folder.path + "/f.bin")], way: way)
    }

    @Test(arguments: [Upload.Way.tus, .automatic, .resumableAsOffered], [0, 1, 70_000, 3_000_000])
    func `our own server gets the file`(way: Upload.Way, size: Int) async throws {
        let share = try Share(folder: target.path, isWritable: true)
        let handler = try ResumableUploads(share, before: DirectoryHandler(share))
        try await withServer {
            $0.mount("/", handler)
        } _: { url in
            for chunkSize in [nil, 1_000_000] as [Int64?] {
                let uploads = try makeUploads { $0.chunkSize = chunkSize }
                var upload = try upload(url + "/", size, way)
                upload.files[0].fileName = "n\(chunkSize ?? 0).bin"
                upload.sendsDigest = chunkSize == nil
                let result = try await uploads.send(upload)
                #expect(result.way == .tus)
                #expect(result.sentCount == Int64(size))
                #expect(target.read("n\(chunkSize ?? 0).bin") == pattern(size))
            }
        }
    }

    @Test func `it goes on after a failure, and in another run of the program`() async throws {
        let server = FakeTus()
        server.state.withLock { $0.answers = [nil, 503, nil, 500] }
        let memory = folder.path + "/state/uploads.json"
        try await withServer(server.serve) { url in
            let upload = try upload(url + "/up", 3_000_000, .tus)
            func send() async throws -> UploadResult {
                let uploads = try makeUploads {
                    $0.chunkSize = 1_000_000
                    $0.memoryPath = memory
                }
                return try await uploads.send(upload)
            }
            let error = await uploadError { try await send() }
            #expect(error?.answer?.status.code == 500)
            #expect(server.count == 2_000_000)
            let result = try await send()
            #expect(result.firstOffset == 2_000_000)
            #expect(result.sentCount == 1_000_000)
            #expect(server.state.withLock { $0.bytes } == pattern(3_000_000))
            #expect(server.state.withLock { $0.creationCount } == 1)
            // It is forgotten once it is done.
            _ = try await send()
            #expect(server.state.withLock { $0.creationCount } == 2)
            // A file that has changed is another upload.
            #expect(try WholeFile.read(memory, byteCountMax: 1 << 20)?.isEmpty == false)
        }
    }

    @Test func `an upload that the server has forgotten is begun anew, but not for ever`()
        async throws
    {
        let server = FakeTus()
        server.state.withLock { $0.answers = [404] }
        try await withServer(server.serve) { url in
            let upload = try upload(url + "/up", 100, .tus)
            _ = try await makeUploads().send(upload)
            #expect(server.state.withLock { $0.creationCount } == 2)
            server.state.withLock { $0.answers = [404, 410, 404, 404] }
            let error = await uploadError { try await makeUploads().send(upload) }
            #expect(error?.kind == .forgotten)
        }
    }

    @Test(arguments: [
        ("http://evil.example/up", 0 as Int64, true, UploadError.Kind.brokenProtocol),
        ("ftp://x/", 0, false, .brokenProtocol), ("/up/1", 1_000_000, false, .brokenProtocol),
        ("/up/1", -50, false, .brokenProtocol),
    ])
    func `a server that lies gets nothing for it`(
        location: String, lie: Int64, hasLogin: Bool, kind: UploadError.Kind
    ) async throws {
        let server = FakeTus(location: location, lie: lie)
        server.state.withLock { $0.answers = [503] }
        try await withServer(server.serve) { url in
            let upload = try upload(url + "/up", 200, .tus)
            let uploads = try makeUploads {
                $0.chunkSize = 50
            } client: {
                if hasLogin { $0.credentials = ClientCredentials(userName: "u", password: "p") }
            }
            #expect(await uploadError { try await uploads.send(upload) }?.kind == kind)
        }
    }

    @Test func `a server that knows nothing of it is told by a form, or not at all`() async throws {
        try await withServer { router in
            router.post("/x") { request in
                var count = 0
                for try await _ in try request.multipartParts() { count += 1 }
                return .text("\(count)")
            }
        } _: { url in
            let result = try await makeUploads().send(try upload(url + "/x", 10, .automatic))
            #expect(result.way == .multipart)
            #expect(result.answer.text == "1")
            let only = try upload(url + "/x", 10, .resumableAsOffered)
            #expect(await uploadError { try await makeUploads().send(only) }?.kind == .notResumable)
        }
    }

    @Test func `progress is told at ten hertz, and reaches the end`() async throws {
        let server = FakeTus()
        let told = Locked<[UploadProgress]>([])
        try await withServer(server.serve) { url in
            let upload = try upload(url + "/up", 8_000_000, .tus)
            let uploads = try makeUploads { $0.chunkSize = 100_000 }
            let start = System.withoutLoop.now()
            _ = try await uploads.send(upload) { progress in
                told.withLock { $0.append(progress) }
            }
            let tenths = (System.withoutLoop.now() - start) / 100_000_000
            let all = told.withLock { $0 }
            #expect(all.count <= Int(tenths) + 2)
            #expect(all.last?.sentCount == 8_000_000)
            #expect(all.last?.isFinishing == true)
            #expect(all.map(\.sentCount) == all.map(\.sentCount).sorted())
        }
    }
}
