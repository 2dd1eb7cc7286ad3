import Glibc
import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A line about a request` {
    private static let size = 64 * 1024 * 1024

    /// What stands in a line behind the target, and before the time.
    private static func outcome(_ line: String, of target: String) -> [Substring] {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: target[...]) else { return [] }
        return Array(words[(index + 1)...].dropLast(2))
    }

    /// Asks for something that doesn't fit into the kernel's buffers, and goes when it has begun.
    private static func leaveEarly(
        _ target: String, _ routes: (Router) -> Void
    ) async throws -> [Substring] {
        let log = LogRecorder()
        try await withServer {
            $0.log = log.log(.info)
        } routes: { router in
            routes(router)
        } _: { server in
            let client = try await server.connect(receiveBufferSize: 4096)
            try await client.send(request("GET \(target)"))
            _ = try await client.receive(count: 1024)
            client.reset()
            var lines: [String] = []
            while lines.isEmpty {
                await Task.yield()
                lines = log.lines.filter { $0.contains("GET \(target) ") && $0.hasSuffix(" ms") }
            }
        }
        let line = log.lines.first { $0.contains("GET \(target) ") && $0.hasSuffix(" ms") }
        return Self.outcome(line ?? "", of: target)
    }

    @Test func `counts what was sent of a file, and says that it was cut`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        #expect(unsafe truncate(folder.path + "/file", Self.size) == 0)
        let handler = try FileHandler(file: folder.path + "/file")
        let outcome = try await Self.leaveEarly("/file") { $0.mount("/file", handler) }
        #expect(outcome.prefix(2) == ["200", "cut"], "\(outcome)")
        let count = try #require(outcome.last.flatMap { Int($0) })
        #expect(count > 0 && count < Self.size)
    }

    @Test func `counts what was sent of bytes and of streams`() async throws {
        let bytes = [UInt8](repeating: 1, count: Self.size)
        let outcomes = [
            try await Self.leaveEarly("/bytes") { router in
                router.get("/bytes", on: .loop) { _ in .bytes(bytes) }
            },
            try await Self.leaveEarly("/stream") { router in
                router.get("/stream", on: .loop) { _ in .stream { try await $0.write(bytes) } }
            },
        ]
        for outcome in outcomes {
            #expect(outcome.prefix(2) == ["200", "cut"], "\(outcome)")
            let count = try #require(outcome.last.flatMap { Int($0) })
            #expect(count > 0 && count < Self.size)
        }
    }

    @Test func `says that a file became shorter`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        #expect(unsafe truncate(folder.path + "/file", Self.size) == 0)
        let handler = try FileHandler(file: folder.path + "/file")
        try await withServer { router in
            router.mount("/file", handler)
        } _: { server in
            let client = try await server.connect(receiveBufferSize: 4096)
            try await client.send(request("GET /file?q"))
            _ = try await client.receive(count: 1024)
            #expect(unsafe truncate(folder.path + "/file", 1024) == 0)
            #expect(try await client.receiveUntilCut().count < Self.size)
            let line = try #require(server.log.lines(.notice).first)
            #expect(
                line.hasSuffix(": GET /file?q: the file became shorter while it was sent"),
                "\(line)")
            #expect(server.log.lines.count == 1)
        }
    }

    @Test func `counts all of what was sent whole`() async throws {
        let log = LogRecorder()
        try await withServer {
            $0.log = log.log(.info)
        } routes: { router in
            router.get("/bytes", on: .loop) { _ in .bytes([UInt8](repeating: 1, count: 100_000)) }
            router.get("/stream", on: .loop) { _ in
                .stream { writer in for _ in 0..<3 { try await writer.write("12345") } }
            }
            router.get("/small", .inline { _ in .text("small") })
        } _: { server in
            let client = try await server.connect()
            let targets = ["/small", "/small", "/stream", "/bytes", "/small", "/none"]
            try await client.send(targets.map { request("GET \($0)") }.joined())
            for _ in targets { _ = try await client.response() }
            client.close()
        }
        #expect(
            log.lines.map {
                $0.split(separator: " ").dropFirst(2).dropLast(2).joined(separator: " ")
            }
                == [
                    "/small 200 5", "/small 200 5", "/stream 200 15", "/bytes 200 100000",
                    "/small 200 5", "/none 404 14",
                ])
    }

    @Test(arguments: [
        (Duration.nanoseconds(36_499), "0.036"), (.milliseconds(12_345), "12345.000"),
        (.zero, "0.000"), (.microseconds(1_002_003), "1002.003"),
    ])
    func `has milliseconds in one form`(_ duration: Duration, _ text: String) {
        #expect(duration.milliseconds == text)
    }
}
