import TestSupport
import Testing
import WharfHTTP
import WharfNet
@testable import WharfServer

@Suite(.timeLimit(.minutes(1))) struct `The parts of a body` {
    private func answer(
        _ body: String, type: String = multipartType,
        _ handle: @escaping @Sendable (Request) async throws -> String
    ) async throws -> WireResponse {
        try await withServer { router in
            router.post("/") { .text(try await handle($0)) }
        } _: {
            try await $0.exchange(post("/", type, body))
        }
    }

    @Test func `come one by one, read or not`() async throws {
        let long = String(repeating: "\r\n--limi", count: 50_000)
        let body = multipart([
            ("a", nil, "1"), ("skipped", "x", long), ("f", "y.txt", long), ("e", nil, ""),
        ])
        let answer = try await answer(body) { request in
            var lines: [String] = []
            for try await part in try request.multipartParts() where part.head.name != "skipped" {
                let bytes = try await part.collect(upTo: 1_000_000)
                let isRight = part.head.name == "f" ? bytes == Array(long.utf8) : bytes.count < 2
                lines.append("\(part.head.name) \(part.head.fileName ?? "-") \(isRight)")
            }
            return lines.joined(separator: "|")
        }
        #expect(answer.text == "a - true|f y.txt true|e - true")
    }

    @Test func `expire with the next one`() async throws {
        let body = multipart([("a", nil, "1"), ("b", nil, "2")])
        let answer = try await answer(body) { request in
            var parts = try request.multipartParts().makeAsyncIterator()
            let first = try #require(try await parts.next())
            _ = try await parts.next()
            await #expect(throws: HTTPExchangeError(.ended)) { try await first.collect(upTo: 10) }
            #expect(try await parts.next() == nil)
            #expect(try await parts.next() == nil)
            return "done"
        }
        #expect(answer.text == "done")
    }

    @Test(
        arguments: [
            (multipart([("a", nil, "1")], isCut: true), multipartType, 400),
            (multipart([("a", "x", "12345")]), multipartType, 413), ("", "text/plain", 415),
            ("", "multipart/form-data", 400), ("--limit\r\n\r\nx", multipartType, 400),
        ])
    func `are refused when they are broken or too long`(
        _ body: String, _ type: String, _ status: Int
    ) async throws {
        let answer = try await answer(body, type: type) { request in
            for try await part in try request.multipartParts() {
                _ = try await part.collect(upTo: 4)
            }
            return ""
        }
        #expect(answer.status == status)
    }

    @Test func `are stored whole, or not at all`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let long = String(repeating: "0123456789", count: 100_000)
        for isCut in [false, true] {
            let body = multipart([("f", "dir/a.txt", long)], isCut: isCut)
            let answer = try await answer(body) { request in
                var name = ""
                for try await part in try request.multipartParts() {
                    let sent = try #require(part.head.fileName)
                    name = try await part.save(into: path, named: isCut ? "b.txt" : sent).name
                }
                return name
            }
            #expect(answer.status == (isCut ? 400 : 200))
            if !isCut { #expect(answer.text == "a.txt") }
        }
        #expect(try WholeFile.read(path + "/a.txt", byteCountMax: 1 << 21) == Array(long.utf8))
        let root = try RootedDirectory(path: path, system: .withoutLoop)
        #expect(throws: Errno.notFound) { try root.open("b.txt", cachedOnly: false).get() }
    }
}
