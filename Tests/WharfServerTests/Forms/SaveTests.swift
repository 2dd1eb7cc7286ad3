import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A body that is stored` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func withStore(
        _ taken: TakenName = .refuse, folder path: String? = nil, on place: Execution = .pool,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let path = path ?? folder.path
        try await withServer { router in
            router.on(.put, "/{name}", on: place, bodyMax: 1 << 30) { request in
                let name = try request.parameters.require("name")
                let saved = try await request.body.save(into: path, named: name, ifTaken: taken)
                return .text("\(saved.name) \(saved.byteCount)", status: .created)
            }
        } _: {
            try await body($0)
        }
    }

    private func put(_ server: TestServer, _ name: String, _ body: String) async throws
        -> WireResponse
    {
        try await server.exchange(
            request("PUT /\(name)", ["Content-Length: \(body.utf8.count)"], body: body))
    }

    @Test(arguments: [Execution.loop, .pool])
    func `has its name and length`(_ place: Execution) async throws {
        try await withStore(on: place) { server async throws in
            #expect(try await put(server, "a.txt", "abc").text == "a.txt 3")
            #expect(try await put(server, "empty", "").text == "empty 0")
            #expect(try await put(server, "a.txt", "abc").status == 409)
            #expect(try await put(server, "x%5Cb.txt", "abc").text == "b.txt 3")
            #expect(try await put(server, "con", "abc").status == 400)
        }
        #expect(try WholeFile.read(folder.path + "/a.txt", byteCountMax: 9) == Array("abc".utf8))
    }

    @Test func `gets another name, or takes the place`() async throws {
        try await withStore(.number) { server async throws in
            #expect(try await put(server, "a.b.txt", "1").text == "a.b.txt 1")
            #expect(try await put(server, "a.b.txt", "2").text == "a.b (1).txt 1")
            #expect(try await put(server, "a.b.txt", "3").text == "a.b (2).txt 1")
            #expect(try await put(server, ".a", "4").text == ".a 1")
            #expect(try await put(server, ".a", "5").text == ".a (1) 1")
            let long = String(repeating: "n", count: 255)
            let first = try await put(server, long, "6").text
            #expect(try await put(server, long, "7").text != first)
        }
        try await withStore(.replace) { server async throws in
            #expect(try await put(server, "a.b.txt", "123").text == "a.b.txt 3")
        }
        let content = try WholeFile.read(folder.path + "/a.b.txt", byteCountMax: 9)
        #expect(content == Array("123".utf8))
    }

    @Test func `needs its folder`() async throws {
        try await withStore(folder: folder.path + "/missing") { server async throws in
            #expect(try await put(server, "a", "1").status == 409)
        }
    }

    @Test func `leaves nothing when it is cut`() async throws {
        try await withStore { server async throws in
            let client = try await server.connect()
            try await client.send(request("PUT /a", ["Content-Length: 10"], body: "123"))
            client.finish()
            #expect(try await client.response(to: "PUT").status == 400)
        }
        let root = try RootedDirectory(path: folder.path, system: .withoutLoop)
        #expect(throws: Errno.notFound) { try root.open("a", cachedOnly: false).get() }
    }
}
