import Foundation
import TestSupport
import Testing
import WharfHTTP
import WharfNet
import WharfTesting
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A recording` {
    /// Runs a server that records, and answers what is in the folder afterwards.
    private func record(
        limits: Recording.Limits = .init(), into folder: TemporaryFolder, expecting count: Int,
        _ body: (TestServer) async throws -> Void
    ) async throws -> (names: [String], log: [String]) {
        let recording = try Recording(folder: folder.path, limits: limits)
        let files = try TemporaryFolder()
        try files.write(String(repeating: "0123456789", count: 10_000), to: "large")
        try files.write("small", to: "small")
        let handler = try DirectoryHandler(folder: files.path)
        let log = try await withServer {
            $0.recording = recording
        } routes: { router in
            router.post("/", on: .loop) { .bytes(try await $0.body.collect(upTo: 1 << 20)) }
            router.post("/unread", on: .loop) { _ in .text("unread") }
            router.get("/inline", .inline { _ in .text("inline") })
            router.get("/stream", on: .loop) { _ in
                .stream { writer in for text in ["one", "two"] { try await writer.write(text) } }
            }
            router.mount("/files", handler)
        } _: { server in
            try await body(server)
            return server.log
        }
        // The server's pool writes the files, and may still be at it.
        let deadline = Date(timeIntervalSinceNow: 10)
        var names: [String] = []
        repeat {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } while names.count < count && Date() < deadline
        return (names, log.lines)
    }

    @Test func `can be replayed`() async throws {
        let folder = try TemporaryFolder()
        let requests = [
            request("GET /inline"), request("GET /inline"),
            request("POST /", ["Content-Length: 5"], body: "12345"),
            request(
                "POST /unread", ["Transfer-Encoding: chunked"], body: "3\r\nabc\r\n0\r\n\r\n"),
            request("GET /stream"), request("GET /files/large"), request("GET /files/small"),
            request("HEAD /files/large"), request("GET /none"),
        ]
        let waits = request("POST /", ["Expect: 100-continue", "Content-Length: 2"])
        let (names, _) = try await record(into: folder, expecting: 20) { server in
            let client = try await server.connect()
            // All at once: they are told apart all the same.
            try await client.send(requests.joined())
            for one in requests {
                _ = try await client.response(to: String(one.prefix { $0 != " " }))
            }
            try await client.send(waits)
            #expect(try await client.response().status == 100)
            _ = try await client.exchange("ok")
            try await client.send("no request\r\n\r\n")
            _ = try await client.receiveToEnd()
        }
        #expect(names.count == 20)
        let transcript = try Transcript(folder: folder.path)
        #expect(
            transcript.exchanges.map { String(decoding: $0.request, as: UTF8.self) }.sorted()
                == (requests + [waits + "ok"]).sorted())
        let large = try #require(
            transcript.exchanges.first {
                $0.method == .get && String(decoding: $0.request, as: UTF8.self).contains("large")
            })
        let text = String(decoding: large.response, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("56789"))
        #expect(large.response.count > 100_000)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + names[0])
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test func `goes on behind what is there, and is bounded`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "041-GET.request")
        try folder.write("", to: "041-200.response")
        var limits = Recording.Limits()
        limits.exchangeCountMax = 2
        limits.messageByteCountMax = 50_000
        let (names, log) = try await record(limits: limits, into: folder, expecting: 6) { server in
            for path in ["/files/large", "/inline", "/none", "/inline"] {
                _ = try await server.exchange(request("GET \(path)", ["Connection: close"]))
            }
        }
        #expect(names.count == 6)
        #expect(Set(names.map { $0.prefix(3) }) == ["041", "042", "043"])
        #expect(log.filter { $0.contains("not all is recorded") }.count == 1)
    }

    @Test func `keeps no more bytes than it may`() async throws {
        let folder = try TemporaryFolder()
        var limits = Recording.Limits()
        limits.byteCountMax = 1000
        let (names, log) = try await record(limits: limits, into: folder, expecting: 4) { server in
            for _ in 0..<20 {
                _ = try await server.exchange(request("GET /inline", ["Connection: close"]))
            }
        }
        #expect(names.count > 2 && names.count < 20)
        #expect(log.filter { $0.contains("not all is recorded") }.count == 1)
    }

    @Test func `needs a folder`() {
        #expect(throws: Errno.notFound) { try Recording(folder: "/none/there") }
    }

    @Test func `gives back what it does not keep`() throws {
        let folder = try TemporaryFolder()
        var limits = Recording.Limits()
        limits.messageByteCountMax = 10
        limits.byteCountMax = 25
        let recording = try Recording(folder: folder.path, limits: limits)
        let server = ServerContext(
            HTTPServer.Configuration(port: 0), router: Router(),
            pool: BlockingPool(clock: .withoutLoop))
        let recorder = ExchangeRecorder(recording, server: server)
        func isEmpty() -> Bool {
            guard recording.reserve(25) else { return false }
            recording.release(25)
            return true
        }
        recorder.note(used: [UInt8](repeating: 0, count: 10))
        #expect(!isEmpty())
        // Too long: what there is of it goes, and what follows isn't kept either.
        recorder.note(sent: [UInt8](repeating: 0, count: 11))
        #expect(isEmpty())
        recorder.note(used: [0])
        #expect(isEmpty())
        // No answer came of it.
        recorder.begin()
        recorder.note(used: [0])
        #expect(!isEmpty())
        recorder.begin()
        #expect(isEmpty())
        recorder.stop()
        recorder.note(used: [0])
        #expect(isEmpty())
    }

    @Test func `goes on behind whatever number there is`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "\(Int.max)-GET.request")
        let recording = try Recording(folder: folder.path)
        #expect(recording.nextNumber() == 1_000_001)
    }
}
