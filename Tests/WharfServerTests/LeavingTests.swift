import Testing
import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A client that leaves` {
    @Test(arguments: [Execution.loop, .pool])
    func `has its handler cancelled when it resets`(_ place: Execution) async throws {
        let hasBegun = Signal()
        let hasEnded = Signal()
        let wasCancelled = Note<Bool?>(nil)
        try await withServer { router in
            router.get("/", on: place) { _ in
                hasBegun.set()
                // Nobody sets it: the wait ends when the task is cancelled.
                await Signal().wait()
                wasCancelled.value = Task.isCancelled
                hasEnded.set()
                try Task.checkCancellation()
                return .text("never")
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            await hasBegun.wait()
            client.reset()
            await hasEnded.wait()
            #expect(wasCancelled.value == true)
            #expect(server.log.lines(.error) == [], "it is no fault of the server's")
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `has the end of its sending seen as that only`(_ place: Execution) async throws {
        let hasBegun = Signal()
        let mayEnd = Signal()
        let big = String(repeating: "b", count: 3 << 20)
        try await withServer { router in
            router.get("/", on: .loop) { _ in .text("ok") }
            router.get("/text", on: place) { _ in
                hasBegun.set()
                await mayEnd.wait()
                #expect(!Task.isCancelled)
                return .text(big)
            }
            router.get("/stream", on: place) { _ in
                .stream {
                    for _ in 0..<3 { try await $0.write(String(repeating: "s", count: 1 << 20)) }
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /text") + request("GET /stream"))
            client.finish()
            await hasBegun.wait()
            // The loop has seen the end by the time it has answered somebody else.
            #expect(try await server.exchange(request("GET /")).text == "ok")
            mayEnd.set()
            #expect(try await client.response().text == big)
            #expect(try await client.response().body.count == 3 << 20)
            #expect(try await client.receiveToEnd().isEmpty)
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `in the middle of its body makes reading throw`(_ place: Execution) async throws {
        let hasBegun = Signal()
        let hasEnded = Signal()
        let failed = Note(false)
        try await withServer { router in
            router.post("/", on: place) { request in
                do {
                    for try await _ in request.body { hasBegun.set() }
                } catch {
                    failed.value = true
                    hasEnded.set()
                    throw error
                }
                hasEnded.set()
                return .text("whole")
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("POST /", ["Content-Length: 10"], body: "short"))
            await hasBegun.wait()
            client.reset()
            await hasEnded.wait()
            #expect(failed.value)
            #expect(server.log.lines(.error) == [], "it is no fault of the server's")
        }
    }

    @Test(arguments: [Execution.loop, .pool])
    func `in the middle of a stream makes writing throw`(_ place: Execution) async throws {
        let hasEnded = Signal()
        let written = Note(0)
        try await withServer { router in
            router.get("/", on: place) { _ in
                .stream { writer in
                    defer { hasEnded.set() }
                    while written.value < 1 << 30 {
                        try await writer.write([UInt8](repeating: 1, count: 64 * 1024))
                        written.value += 64 * 1024
                    }
                }
            }
        } _: { server in
            let client = try await server.connect()
            try await client.send(request("GET /"))
            _ = try await client.receive()
            client.reset()
            await hasEnded.wait()
            #expect(written.value < 1 << 30)
        }
    }

    @Test func `at any byte leaves the server well`() async throws {
        try await withServer { router in
            router.post("/", on: .pool) { .bytes(try await $0.body.collect(upTo: 100)) }
            router.get("/", on: .loop) { _ in .text("ok") }
        } _: { server in
            let script = Array(
                (request("GET /") + request("POST /", ["Content-Length: 5"], body: "hello")
                    + request("POST /", ["Transfer-Encoding: chunked"], body: "1\r\na\r\n0\r\n\r\n"))
                    .utf8)
            for count in 0...script.count {
                let client = try await server.connect()
                try await client.send(Array(script[..<count]))
                if count.isMultiple(of: 2) { client.reset() } else { client.close() }
            }
            #expect(try await server.exchange(request("GET /")).text == "ok")
        }
    }
}
