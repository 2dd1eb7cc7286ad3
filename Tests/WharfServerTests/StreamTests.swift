import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A streamed body` {
    private struct Fault: Error {}

    @Test(arguments: [Execution.loop, .pool])
    func `of a known length is framed by it`(_ place: Execution) async throws {
        try await withServer { router in
            router.get("/", on: place) { _ in
                .stream(contentType: "text/x", length: 200_005) { writer in
                    try await writer.write("hello")
                    try await writer.write([])
                    try await writer.write([UInt8](repeating: 7, count: 200_000))
                }
            }
        } _: { server in
            let client = try await server.connect()
            for _ in 0..<2 {
                let response = try await client.exchange(request("GET /"))
                #expect(response["Content-Length"] == "200005")
                #expect(response["Transfer-Encoding"] == nil)
                #expect(response["Content-Type"] == "text/x")
                #expect(
                    response.body == Array("hello".utf8) + [UInt8](repeating: 7, count: 200_000))
            }
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `of an unknown length is chunked`(_ place: Execution) async throws {
        let counts = [1, 0, 15, 16, 65_535, 65_537]
        try await withServer { router in
            router.get("/", on: place) { _ in
                .stream { writer in
                    for count in counts {
                        try await writer.write([UInt8](repeating: UInt8(count & 255), count: count))
                    }
                }
            }
            router.get("/empty", on: place) { _ in .stream { _ in } }
        } _: { server in
            let client = try await server.connect()
            let response = try await client.exchange(request("GET /"))
            #expect(response["Transfer-Encoding"] == "chunked")
            #expect(response["Content-Length"] == nil)
            let whole = counts.flatMap { [UInt8](repeating: UInt8($0 & 255), count: $0) }
            #expect(response.body == whole)
            #expect(try await client.exchange(request("GET /empty")).body.isEmpty)
            #expect(client.isQuiet)
        }
    }

    @Test(arguments: [nil, 5] as [Int64?])
    func `reaches a client of 1.0 without chunks`(_ length: Int64?) async throws {
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .stream(length: length) { try await $0.write("hello") }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(
                request("GET /", ["Connection: keep-alive"], version: "HTTP/1.0"))
            let response = try await client.response()
            #expect(response.text == "hello")
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response["Content-Length"] == length.map { "\($0)" })
            // The end of the connection is the end of the body.
            #expect(response["Connection"] == (length == nil ? "close" : "keep-alive"))
            if length == nil { #expect(try await client.receiveToEnd().isEmpty) }
        }
    }

    @Test func `goes out piece by piece`() async throws {
        let maySend = [Signal(), Signal()]
        try await withServer { router in
            router.get("/", on: .pool) { _ in
                .stream(length: 2) { writer in
                    for (signal, text) in zip(maySend, ["a", "b"]) {
                        await signal.wait()
                        try await writer.write(text)
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            // The head does not wait for the first byte.
            var received = try await client.receive()
            #expect(String(decoding: received, as: UTF8.self).hasSuffix("\r\n\r\n"))
            for (signal, text) in zip(maySend, ["a", "b"]) {
                #expect(client.isQuiet)
                signal.set()
                received = try await client.receive()
                #expect(received == Array(text.utf8))
            }
        }
    }

    // MARK: Faults

    enum Mistake: String, Sendable, CaseIterable {
        case nothing, tooFew, tooMany, throwsFirst, throwsLater
    }

    @Test(arguments: Mistake.allCases, [nil, 10] as [Int64?])
    func `that goes wrong never looks whole`(_ mistake: Mistake, _ length: Int64?) async throws {
        // Without a length there is no wrong one.
        if length == nil, mistake == .nothing || mistake == .tooFew || mistake == .tooMany {
            return
        }
        try await withServer { router in
            router.get("/", on: .pool) { _ in
                .stream(length: length) { writer in
                    switch mistake {
                    case .nothing: break
                    case .tooFew: try await writer.write("123456789")
                    case .tooMany: try await writer.write("12345678901")
                    case .throwsFirst: throw Fault()
                    case .throwsLater:
                        try await writer.write("12345")
                        throw Fault()
                    }
                }
            }
        } _: { server in
            for version in ["HTTP/1.1", "HTTP/1.0"] {
                let client = try await server.connect()
                try await client.send(request("GET /", version: version))
                await #expect(throws: (any Error).self) { try await client.response() }
            }
            let client = try await server.connect()
            try await client.send(request("GET /"))
            let bytes = try await client.receiveUntilCut()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(length != nil || !text.hasSuffix("0\r\n\r\n"))
            #expect(!text.contains("1234567890"))
        }
    }

    @Test func `takes no more than was announced, and is whole without the rest`() async throws {
        let kinds = Note<[HTTPExchangeError.Kind]>([])
        try await withServer { router in
            router.get("/", on: .loop) { _ in
                .stream(length: 3) { writer in
                    try await writer.write("abc")
                    do {
                        try await writer.write("d")
                    } catch let error as HTTPExchangeError {
                        kinds.update { $0.append(error.kind) }
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            #expect(try await client.exchange(request("GET /")).text == "abc")
            #expect(try await client.exchange(request("GET /")).text == "abc")
            #expect(kinds.value == [.wrongLength, .wrongLength])
        }
    }

    // MARK: Back-pressure

    @Test(arguments: [Execution.loop, .pool])
    func `stops where its reader stops, and is cut in the end`(_ place: Execution) async throws {
        let written = Note(0)
        let failure = Note<(any Error)?>(nil)
        let hasEnded = Signal()
        try await withServer {
            $0.writeTimeout = .milliseconds(300)
        } routes: { router in
            router.get("/", on: place) { _ in
                .stream { writer in
                    defer { hasEnded.set() }
                    do {
                        while written.value < 1 << 30 {
                            try await writer.write([UInt8](repeating: 1, count: 64 * 1024))
                            written.value += 64 * 1024
                        }
                    } catch {
                        failure.value = error
                        throw error
                    }
                }
            }
        } _: { server in
            let client = try await server.connect(receiveBufferSize: 64 * 1024)
            try await client.send(request("GET /"))
            await hasEnded.wait()
            // What the kernel's buffers hold, and no more.
            #expect(written.value < 16 << 20)
            #expect(failure.value != nil)
            // Not the end that a whole body would have.
            await #expect(throws: (any Error).self) { try await client.response() }
        }
    }

    @Test func `never looks whole after a write that failed, even if nobody minds`() async throws {
        let hasEnded = Signal()
        try await withServer {
            $0.writeTimeout = .milliseconds(200)
        } routes: { router in
            router.get("/", on: .loop) { _ in
                .stream { writer in
                    defer { hasEnded.set() }
                    // The client does not read: this fails in the middle.
                    try? await writer.write([UInt8](repeating: 1, count: 64 << 20))
                    try? await writer.write([UInt8](repeating: 2, count: 10))
                }
            }
        } _: { server in
            let client = try await server.connect(receiveBufferSize: 64 * 1024)
            try await client.send(request("GET /"))
            await hasEnded.wait()
            await #expect(throws: (any Error).self) { try await client.response() }
        }
    }

    @Test func `stops its sender where nobody reads`() async throws {
        let mayRead = Signal()
        let length = 64 << 20
        try await withServer { router in
            router.post("/", on: .pool, bodyMax: .max) { request in
                await mayRead.wait()
                var count = 0
                for try await piece in request.body { count += piece.count }
                return .text("\(count)")
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("POST /", ["Content-Length: \(length)"]))
            let sent = try await client.sendUntilBlocked(byteCountMax: length)
            #expect(sent < 24 << 20)
            mayRead.set()
            try await client.send([UInt8](repeating: 0, count: length - sent))
            #expect(try await client.response().text == "\(length)")
        }
    }
}
