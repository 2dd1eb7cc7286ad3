import TestSupport
import Testing
import WharfCrypto
import WharfHTTP
import WharfServer
import WharfTesting

/// Digests of a plain PUT (RFC 9530).
@Suite(.timeLimit(.minutes(1))) struct `a file that is put with its digest` {
    private static func digest(_ name: String, _ algorithm: HashAlgorithm, _ text: String) -> String
    {
        "\(name)=:\(Base64.encode(Hash.digest(algorithm, of: Array(text.utf8)))):"
    }

    private static let right = digest("sha-256", .sha256, "abc")
    private static let wrong = digest("sha-256", .sha256, "abd")

    @Test(arguments: [
        (HTTPField.Name.contentDigest, right, 201), (.reprDigest, right, 201),
        (.contentDigest, digest("sha-512", .sha512, "abc"), 201),
        (.contentDigest, wrong, 400), (.reprDigest, wrong, 400),
        (.reprDigest, right + ", " + digest("sha-512", .sha512, "x"), 400),
        // What is not understood is as good as not there.
        (.reprDigest, "md5=:AAAA:", 201), (.reprDigest, "sha-256=1", 201), (.reprDigest, "=", 201),
        (.reprDigest, "sha-256=:AAAA:", 400),
    ])
    func `is compared with it`(name: HTTPField.Name, value: String, status: Int) async throws {
        let folder = try TemporaryFolder()
        let router = Router()
        router.mount("/", DirectoryHandler(try Share(folder: folder.path, isWritable: true)))
        let client = TestClient(router)
        let answer = try await client.send(
            .put, "/a", fields: [name: value], body: .text("abc"))
        #expect(answer.status.code == status)
        #expect(try UploadFolder.names(in: folder) == (status == 201 ? ["a"] : []))
    }

    @Test func `gets one if it is wanted`() async throws {
        let folder = try TemporaryFolder()
        let router = Router()
        router.mount("/", DirectoryHandler(try Share(folder: folder.path, isWritable: true)))
        let client = TestClient(router)
        for (wanted, digest) in [
            ("sha-256=3, sha-512=1", Self.right), ("md5=9, sha-256=1", Self.right),
            ("sha-256=0", nil), ("crc32c=2", nil),
        ] {
            let answer = try await client.send(
                .put, "/a", fields: [.wantReprDigest: wanted], body: .text("abc"))
            #expect(answer.fields[.reprDigest] == digest)
        }
    }

    @Test func `may be told of it behind the body`() async throws {
        let folder = try TemporaryFolder()
        let router = Router()
        router.mount("/", DirectoryHandler(try Share(folder: folder.path, isWritable: true)))
        try await TestServer.run(router) { client async throws in
            for (digest, status) in [(Self.wrong, 400), (Self.right, 201)] {
                let text = [
                    "PUT /a HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked",
                    "Trailer: Content-Digest", "", "3", "abc", "0", "Content-Digest: \(digest)",
                    "", "",
                ].joined(separator: "\r\n")
                let answer = try await client.send(Array(text.utf8), method: .put)
                #expect(answer.status.code == status)
            }
        }
        #expect(try UploadFolder.names(in: folder) == ["a"])
    }
}
