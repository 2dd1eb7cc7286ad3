import Glibc
import Testing
import WharfHTTP
@testable import WharfServer

/// In processes of their own, so that what other tests use is not counted.
@Suite(.timeLimit(.minutes(2))) struct `A body of 64 MiB` {
    @Test func `is received in constant memory`() async {
        await #expect(processExitsWith: .success) { try await receive(isChunked: false) }
    }

    @Test func `is received chunk by chunk in constant memory`() async {
        await #expect(processExitsWith: .success) { try await receive(isChunked: true) }
    }

    @Test func `is sent in constant memory`() async {
        await #expect(processExitsWith: .success) { try await send(length: byteCount) }
    }

    @Test func `is sent chunk by chunk in constant memory`() async {
        await #expect(processExitsWith: .success) { try await send(length: nil) }
    }
}

private let byteCount = 64 << 20
/// What buffers, arenas and threads may take beyond the first piece.
private let growthMax = 16 << 20

private func receive(isChunked: Bool) async throws {
    let memory = Memory()
    try await withServer { router in
        router.post("/", on: .pool, bodyMax: .max) { request in
            var count = 0
            for try await piece in request.body {
                precondition(piece.allSatisfy { $0 == 0 })
                count += piece.count
                memory.sample()
            }
            return .text("\(count)")
        }
    } _: { server in
        let client = try await server.connect()
        let field = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(byteCount)"
        try await client.send(request("POST /", [field]))
        let block = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<64 {
            if isChunked { try await client.send("100000\r\n") }
            try await client.send(block)
            if isChunked { try await client.send("\r\n") }
        }
        if isChunked { try await client.send("0\r\n\r\n") }
        let response = try await client.response()
        precondition(response.text == "\(byteCount)", "\(response)")
    }
    memory.check()
}

private func send(length: Int?) async throws {
    let memory = Memory()
    try await withServer { router in
        router.get("/", on: .pool) { _ in
            .stream(length: length.map(Int64.init)) { writer in
                for _ in 0..<64 {
                    try await writer.write([UInt8](repeating: 0, count: 1 << 20))
                    memory.sample()
                }
            }
        }
    } _: { server in
        let client = try await server.connect()
        try await client.send(request("GET /", ["Connection: close"]))
        var count = 0
        while true {
            let bytes = try await client.receive()
            if bytes.isEmpty { break }
            count += bytes.count
        }
        precondition(count > byteCount && count < byteCount + 2000, "\(count) bytes")
    }
    memory.check()
}

/// How much memory of the process is resident.
private final class Memory: Sendable {
    private let samples = Note<[Int]>([])

    func sample() {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return }
        defer { unsafe fclose(file) }
        var text = [CChar](repeating: 0, count: 200)
        _ = unsafe fread(&text, 1, text.count - 1, file)
        let fields = String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .split(separator: " ")
        samples.update { $0.append((Int(fields[1]) ?? 0) * Int(getpagesize())) }
    }

    func check() {
        let all = samples.value
        let growth = (all.max() ?? 0) - (all.first ?? 0)
        precondition(all.count >= 64 && growth < growthMax, "grew by \(growth) bytes")
    }
}
