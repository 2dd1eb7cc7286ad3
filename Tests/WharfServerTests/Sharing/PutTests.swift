import Glibc
import TestSupport
import Testing
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `PUT into a share` {
    @Test func `makes a file, and then replaces it`() async throws {
        try await WritableFolder.with { share async throws in
            let made = try await share.put("/a.txt", "first")
            #expect(made.status == 201)
            #expect(try share.text("a.txt") == "first")
            let replaced = try await share.put("/a.txt", "second")
            #expect(replaced.status == 204)
            #expect(try share.text("a.txt") == "second")
            #expect(made["ETag"] != replaced["ETag"])
            let read = try await share.server.exchange(request("GET /a.txt"))
            #expect(read.text == "second")
            #expect(read["ETag"] == replaced["ETag"])
            #expect(read["Last-Modified"] == replaced["Last-Modified"])
            #expect(try share.names() == ["a.txt"])
        }
    }

    @Test func `takes chunks, and nothing at all`() async throws {
        try await WritableFolder.with { share async throws in
            let chunked = request(
                "PUT /a.txt", ["Transfer-Encoding: chunked"],
                body: "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(try await share.server.exchange(chunked).status == 201)
            #expect(try share.text("a.txt") == "abcde")
            #expect(try await share.put("/a.txt", "").status == 204)
            #expect(try share.text("a.txt") == "")
            #expect(try await share.server.exchange(request("PUT /b.txt")).status == 201)
            #expect(try share.text("b.txt") == "")
        }
    }

    @Test func `keeps the connection, and what was sent ahead`() async throws {
        try await WritableFolder.with { share async throws in
            let client = try await share.server.connect()
            let chunked = request(
                "PUT /a.txt", ["Transfer-Encoding: chunked"], body: "3\r\nabc\r\n0\r\n\r\n")
            let plain = request("PUT /b.txt", ["Content-Length: 3"], body: "def")
            try await client.send(chunked + plain + request("GET /b.txt"))
            #expect(try await client.response(to: "PUT").status == 201)
            #expect(try await client.response(to: "PUT").status == 201)
            #expect(try await client.response().text == "def")
        }
    }

    /// Around the size of one block, and longer than two.
    @Test(arguments: [262_143, 262_144, 262_145, 524_289, 1_500_000])
    func `takes long bodies`(_ count: Int) async throws {
        try await put(Self.bytes(count)) { client, body in
            try await client.send(request("PUT /a", ["Content-Length: \(count)"]))
            try await client.send(body)
        }
    }

    /// Small chunks are moved together, large ones written where they lie.
    @Test(arguments: [7, 1000, 32_767, 40_001, 300_000])
    func `takes chunks of all sizes`(_ size: Int) async throws {
        try await put(Self.bytes(size < 100 ? 300_000 : 1_500_000)) { client, body in
            var sent = Array(request("PUT /a", ["Transfer-Encoding: chunked"]).utf8)
            for start in stride(from: 0, to: body.count, by: size) {
                let chunk = body[start..<min(start + size, body.count)]
                sent += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk
                sent += Array("\r\n".utf8)
            }
            try await client.send(sent + Array("0\r\n\r\n".utf8))
        }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8)) }
    }

    private func put(
        _ body: [UInt8], _ send: (WireClient, [UInt8]) async throws -> Void
    ) async throws {
        try await WritableFolder.with { share async throws in
            let client = try await share.server.connect()
            try await send(client, body)
            #expect(try await client.response(to: "PUT").status == 201)
            let file = try WholeFile.read("\(share.folder.path)/a", byteCountMax: 1 << 22)
            #expect(file == body)
        }
    }

    @Test(
        arguments: [
            ("/sub/a.txt", 201), ("/missing/a.txt", 409), ("/file/a.txt", 409), ("/sub", 405),
            ("/sub/", 405), ("/new/", 405), ("/", 405), ("/.hidden", 403), ("/sub/.h/a", 403),
            ("/out", 204), ("/outer/a", 409), ("/inner/a", 201), ("/pipe", 403),
            ("/.wharf-0123456789abcdef.part", 403), ("//a", 400), ("/%2e%2e/a", 400),
            ("/a%00b", 400), ("/a%2Fb", 400), ("/" + String(repeating: "n", count: 256), 414),
        ])
    func `is answered by where the file would lie`(_ target: String, _ status: Int) async throws {
        let outside = try TemporaryFolder()
        try outside.write("secret", to: "secret")
        try await WritableFolder.with { share async throws in
            try share.folder.makeFolder("sub")
            try share.folder.write("", to: "file")
            try share.folder.link("out", to: outside.path + "/secret")
            try share.folder.link("outer", to: outside.path)
            try share.folder.link("inner", to: "sub")
            try #require(unsafe mkfifo(share.folder.path + "/pipe", 0o600) == 0)
            let before = try share.names()
            let answer = try await share.put(target)
            #expect(answer.status == status)
            if status == 405 { #expect(answer["Allow"] == "GET, HEAD, OPTIONS") }
            #expect(try share.names() == before)
        }
        let root = try RootedDirectory(path: outside.path, system: .withoutLoop)
        #expect(try root.open("secret", cachedOnly: false).get().status.size == 6)
        #expect(throws: Errno.notFound) { try root.open("a", cachedOnly: false).get() }
    }

    @Test func `is refused where the share is read-only`() async throws {
        try await WritableFolder.with(isWritable: false) { share async throws in
            let answer = try await share.put("/a.txt")
            #expect(answer.status == 405)
            #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
            let options = try await share.server.exchange(request("OPTIONS /a.txt"))
            #expect(options["Allow"] == "GET, HEAD, OPTIONS")
            #expect(try share.names() == [])
        }
        try await WritableFolder.with { share async throws in
            let options = try await share.server.exchange(request("OPTIONS /a.txt"))
            #expect(options["Allow"] == "GET, HEAD, OPTIONS, PUT")
            let post = try await share.server.exchange(request("POST /a.txt"))
            #expect(post.status == 405)
            #expect(post["Allow"] == "GET, HEAD, OPTIONS, PUT")
        }
    }

    @Test(
        arguments: [
            ("Content-Range: bytes 0-2/10", 400), ("Content-Encoding: gzip", 415),
            ("Content-Encoding: identity", 201),
        ])
    func `is refused where the body is not the file`(_ field: String, _ status: Int) async throws {
        try await WritableFolder.with { share async throws in
            #expect(try await share.put("/a.txt", "new", [field]).status == status)
            #expect(try share.names() == (status == 201 ? ["a.txt"] : []))
        }
    }

    @Test func `that is too long is refused before it is read`() async throws {
        var options = Share.Options()
        options.uploadMax = 4
        try await WritableFolder.with(options: options) { share async throws in
            #expect(try await share.put("/a.txt", "four").status == 201)
            let long = request("PUT /a.txt", ["Content-Length: 5", "Expect: 100-continue"])
            #expect(try await share.server.exchange(long).status == 413)
            let chunked = request(
                "PUT /a.txt", ["Transfer-Encoding: chunked"], body: "5\r\nfives\r\n0\r\n\r\n")
            #expect(try await share.server.exchange(chunked).status == 413)
            #expect(try share.text("a.txt") == "four")
            #expect(try share.names() == ["a.txt"])
        }
    }

    /// A share's own bound, not the server's for what is read into memory.
    @Test func `may be longer than other bodies`() async throws {
        try await withServer {
            $0.bodyMax = 3
        } routes: { router in
            let folder = try? Share(folder: "/tmp", isWritable: false)
            if let folder { router.mount("/read", DirectoryHandler(folder)) }
        } _: { server in
            let answer = try await server.exchange(
                request("PUT /read/a", ["Content-Length: 4"], body: "four"))
            #expect(answer.status == 413)
        }
        try await WritableFolder.with { share async throws in
            #expect(
                try await share.put("/a", String(repeating: "x", count: 11 << 20)).status == 201)
        }
    }

    @Test(arguments: ["3\r\nabc\r\n", "3\r\nabcd\r\n0\r\n\r\n", "x\r\n"])
    func `that is cut or malformed leaves nothing`(_ body: String) async throws {
        try await WritableFolder.with { share async throws in
            try share.folder.write("old", to: "a.txt")
            let client = try await share.server.connect()
            try await client.send(
                request("PUT /a.txt", ["Transfer-Encoding: chunked"], body: body))
            client.finish()
            #expect(try await client.response(to: "PUT").status == 400)
            #expect(try share.text("a.txt") == "old")
            #expect(try share.names() == ["a.txt"])
        }
    }
}
