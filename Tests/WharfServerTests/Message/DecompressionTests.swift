import Testing
@testable import WharfHTTP
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `A compressed body of a request` {
    private func packed(_ bytes: [UInt8], _ format: CompressionFormat = .gzip) throws -> [UInt8] {
        var deflater = try Deflater(format)
        var output: [UInt8] = []
        var start = 0
        while true {
            let step = try deflater.deflate(
                bytes.span.extracting(start..<bytes.count), flush: .finish, to: &output)
            start += step.consumed
            if step.isComplete { return output }
        }
    }

    private func answer(
        _ body: [UInt8], coding: String = "gzip", chunk: Int? = nil,
        policy: DecompressionPolicy? = DecompressionPolicy(),
        _ test: (WireResponse, LogRecorder) throws -> Void
    ) async throws {
        try await withServer {
            $0.decompression = policy
        } routes: { router in
            router.post("/", bodyMax: 3 << 20) { request in
                let announced = request.body.length.map { "\($0)" } ?? "unknown"
                var sum = 0
                var count = 0
                for try await piece in request.body {
                    count += piece.count
                    sum = piece.reduce(sum) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
                }
                return .text("\(count) \(sum) \(announced)")
            }
            router.get("/next") { _ in .text("next") }
        } _: { server in
            let client = try await server.connect()
            if let chunk {
                try await client.send(
                    request(
                        "POST /", ["Content-Encoding: \(coding)", "Transfer-Encoding: chunked"]))
                for start in stride(from: 0, to: body.count, by: chunk) {
                    let piece = body[start..<min(start + chunk, body.count)]
                    try await client.send("\(String(piece.count, radix: 16))\r\n")
                    try await client.send(Array(piece) + [13, 10])
                }
                try await client.send("0\r\n\r\n")
            } else {
                try await client.send(
                    request(
                        "POST /",
                        ["Content-Encoding: \(coding)", "Content-Length: \(body.count)"]))
                try await client.send(body)
            }
            let response = try await client.response()
            try test(response, server.log)
            if response.status == 200 {
                #expect(try await client.exchange(request("GET /next")).text == "next")
            }
        }
    }

    private let text = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

    private func expected(_ bytes: [UInt8]) -> String {
        "\(bytes.count) \(bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }) unknown"
    }

    @Test(arguments: [nil, 1000, 40_000] as [Int?])
    func `is read where that is wanted`(_ chunk: Int?) async throws {
        for (coding, format) in [
            ("gzip", CompressionFormat.gzip), ("x-gzip", .gzip), ("deflate", .zlib),
        ] {
            try await answer(packed(text, format), coding: coding, chunk: chunk) { response, _ in
                #expect(response.text == expected(text))
            }
        }
        try await answer(text, coding: "Identity") { response, _ in
            #expect(response.text == expected(text).replacing("unknown", with: "200000"))
        }
    }

    @Test(
        arguments: [
            (nil, "gzip", "identity"), (nil, "br", "identity"),
            (DecompressionPolicy(), "br", "gzip, deflate"),
            (DecompressionPolicy(), "gzip, gzip", "gzip, deflate"),
            (DecompressionPolicy(), "", "gzip, deflate"),
        ] as [(DecompressionPolicy?, String, String)])
    func `is refused where it isn't, and the answer says what would be taken`(
        _ policy: DecompressionPolicy?, _ coding: String, _ accepted: String
    ) async throws {
        try await answer([1, 2, 3], coding: coding, policy: policy) { response, _ in
            #expect(response.status == 415 && response["Accept-Encoding"] == accepted)
        }
    }

    @Test func `is refused if it is cut, broken, or followed by something`() async throws {
        let whole = try packed(text)
        var broken = whole
        broken[whole.count / 2] ^= 0xFF
        for (body, reason) in [
            (Array(whole.dropLast()), "ended early"), ([0x1F], "ended early"),
            (broken, "compression"), (whole + [0], "behind the end"),
            (whole + whole, "behind the end"), (Array("plain".utf8), "compression"),
        ] {
            try await answer(body) { response, log in
                #expect(response.status == 400)
                #expect(log.lines.contains { $0.contains(reason) }, "\(log.lines)")
            }
        }
    }

    @Test func `is refused if it becomes too large, or large too cheaply`() async throws {
        let zeros = try packed([UInt8](repeating: 0, count: 3 << 20))
        try await answer(zeros) { response, log in
            #expect(response.status == 413)
            #expect(log.lines.contains { $0.contains("more than 100 times") })
        }
        var policy = DecompressionPolicy()
        policy.ratioMax = 2000
        try await answer(zeros, policy: policy) { response, _ in
            #expect(response.text == "\(3 << 20) 0 unknown")
        }
        let more = try packed([UInt8](repeating: 0, count: 3 << 20 + 1))
        try await answer(more, policy: policy) { response, log in
            #expect(response.status == 413)
            #expect(log.lines.contains { $0.contains("longer than \(3 << 20) bytes") })
        }
        // The first MiB is free.
        try await answer(try packed([UInt8](repeating: 0, count: 1 << 20))) { response, _ in
            #expect(response.status == 200)
        }
    }
}
