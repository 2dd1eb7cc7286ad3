import TestSupport
import Testing
import WharfNet

/// The programs of `Examples/` that speak TLS.
@Suite(.timeLimit(.minutes(1))) struct `The secured example` {
    @Test func `TLS answers over TLS, and sends others there`() async throws {
        let code = try await RunningExample.run("TLS") { example in
            let answer = try await example.askSecurely("GET /")
            #expect(answer.hasSuffix("\r\n\r\nHello over TLS 1.3!\n"))
            let plain = try await example.ask("GET /")
            #expect(plain.status == 308 && plain.fields["location"] == "https://localhost/")
        }
        #expect(code == 0)
    }

    @Test func `client certificates turns away who shows none`() async throws {
        let code = try await RunningExample.run("ClientCertificates") { example in
            let answer = try await example.askSecurely("GET /")
            #expect(answer.contains(" 403 Forbidden\r\n"))
        }
        #expect(code == 0)
    }
}

extension RunningExample {
    /// Sends a request over TLS, whoever answers, and reads to the end.
    fileprivate func askSecurely(_ line: String) async throws -> String {
        let loop = EventLoop(system: try System())
        try loop.start()
        defer { loop.stop() }
        return try await loop.confine { [address] in
            let pool = BlockingPool(clock: .withoutLoop, threadCountMax: 1)
            let deadline = loop.now + 10_000_000_000
            let socket = try await Connector(loop: loop, pool: pool)
                .connect(to: [address], deadline: deadline)
            defer { socket.close() }
            let client = try TLSClient(TLSClientConfiguration(trust: .anything))
            _ = try await socket.secure(with: client, host: "localhost", until: deadline)
            let request = "\(line) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            try await socket.sendAll(Array(request.utf8), patience: 10_000_000_000)
            var answer: [UInt8] = []
            while await socket.waitReadable(until: deadline) == .ready {
                let (step, bytes) = socket.receive(countMax: 65_536)
                answer += bytes
                if case .ended = step { break }
                if case .failed(let error) = step { throw error }
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }
}
