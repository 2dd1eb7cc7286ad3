import Foundation
import TestSupport
import Testing
import WharfHTTP
import WharfHTTPClient
import WharfNet
import WharfServer
import WharfURLSession
import WharfUploadClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Forms for a URLSession.
@Suite struct SessionTests {
    private func bytes(_ form: Multipart) throws -> [UInt8] {
        let stream = form.makeStream()
        stream.open()
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = unsafe stream.read(&piece, maxLength: piece.count)
            guard count > 0 else { break }
            all += piece.prefix(count)
        }
        if let error = stream.streamError { throw error }
        return all
    }

    @Test func `a session sends the form that a client would`() async throws {
        let files = try TemporaryFolder()
        try files.write(pattern(200_000), to: Array("a.zip".utf8))
        let archive = files.path + "/a.zip"
        let folder = URL(filePath: files.path)
        try await withServer { router in
            router.on(.post, "/ArchFlow/upload", bodyMax: 1 << 30) { request in
                var lines: [String] = []
                for try await part in try request.multipartParts() {
                    let size = try await part.collect(upTo: 1 << 20).count
                    lines.append("\(part.head.name) \(part.head.fileName ?? "") \(size)")
                }
                return .text(lines.joined(separator: ","))
            }
        } _: { base in
            let url = try #require(URL(string: base + "/ArchFlow/upload"))
            let form = try Multipart(files: [UploadFile(archive)], fieldName: "uploadFile")
            let request = form.urlRequest(url)
            let body = folder.appending(path: "body")
            try form.writeFile(to: body)
            let (data, response) = try await URLSession.shared.upload(for: request, fromFile: body)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(String(decoding: data, as: UTF8.self) == "uploadFile a.zip 200000")
            #expect(try Data(contentsOf: body) == Data(try bytes(form)))
            #expect(Int64(try Data(contentsOf: body).count) == form.byteCount)
        }
    }

    @Test func `the body is written as that of the helper of old`() throws {
        let files = try TemporaryFolder()
        try files.write("zip", to: "ARCH.zip")
        let form = try Multipart(
            files: [UploadFile(files.path + "/ARCH.zip")], fieldName: "uploadFile",
            boundary: "--KenApp299912318")
        #expect(form.contentType == "multipart/form-data; boundary=--KenApp299912318")
        #expect(
            String(decoding: try bytes(form), as: UTF8.self)
                == "----KenApp299912318\r\n"
                + "Content-Disposition: form-data; name=\"uploadFile\"; filename=\"ARCH.zip\"\r\n"
                + "Content-Type: application/zip\r\n\r\nzip\r\n----KenApp299912318--\r\n")
    }

    @Test func `a file that changes is an error, and leaves nothing`() throws {
        let files = try TemporaryFolder()
        try files.write(pattern(1000), to: Array("f".utf8))
        let form = try Multipart(files: [UploadFile(files.path + "/f")])
        try files.write(pattern(900), to: Array("f".utf8))
        #expect(throws: HTTPClientError.self) { try bytes(form) }
        let target = URL(filePath: files.path + "/body")
        #expect(throws: HTTPClientError.self) { try form.writeFile(to: target) }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func `boundaries are random, and long`() throws {
        let boundaries = try (0..<100).map { _ in try Multipart(fields: [("a", "b")]).boundary }
        #expect(Set(boundaries).count == 100)
        #expect(boundaries.allSatisfy { $0.utf8.count >= 32 })
    }
}
