import TestSupport
import Testing
import WharfServer

@Suite struct `A file that is in memory` {
    private static let sizes = [0, 1, 1000, 65_536, 65_537, 102_400, 400_000, 524_288, 524_289]

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    /// Serves files of all sizes, each named by its size.
    private func with(_ body: (TestServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        for size in Self.sizes { try folder.write(bytes(size), to: Array("\(size)".utf8)) }
        let handler = try DirectoryHandler(folder: folder.path)
        try await withServer {
            $0.mount("/", handler)
        } _: { server in
            try await body(server)
        }
    }

    @Test(arguments: [nil, 4096] as [Int32?])
    func `arrives whole, whatever the client takes at once`(_ bufferSize: Int32?) async throws {
        try await with { server in
            let client = try await server.connect(receiveBufferSize: bufferSize)
            // All at once: answers in their order, on one connection.
            let all = Self.sizes + Self.sizes.reversed()
            try await client.send(all.map { request("GET /\($0)") }.joined())
            for size in all {
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.body == bytes(size), "\(size)")
            }
            let part = try await client.exchange(request("GET /400000", ["Range: bytes=7-300006"]))
            #expect(part.body.elementsEqual(bytes(400_000)[7...300_006]))
        }
    }

    @Test(arguments: [1000, 102_400, 524_288])
    func `ends the connection when that is asked for`(_ size: Int) async throws {
        try await with { server in
            let client = try await server.connect()
            try await client.send(request("GET /\(size)", ["Connection: close"]))
            let response = try await client.response()
            #expect(response["Connection"] == "close" && response.body == bytes(size))
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }
}
