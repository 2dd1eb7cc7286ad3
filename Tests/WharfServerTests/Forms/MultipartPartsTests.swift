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

    @Test func `are stored one after the other, whatever lies between them`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let sizes = [0, 1, 300_000, 70, 2_000_000, 5, 262_144, 90_000]
        let contents = sizes.map { size in
            let text = String(repeating: "\r\n--limi7", count: size / 9 + 1)
            return String(decoding: text.utf8.prefix(size), as: UTF8.self)
        }
        var files = contents.enumerated().map { ("f", "\($0)", $1) as (String, String?, String) }
        // A name that is taken costs its own part alone.
        files.insert(("f", "0", contents[2]), at: 4)
        files.insert(("text", nil, "between"), at: 6)
        let answer = try await answer(multipart(files)) { request in
            var lines: [String] = []
            for try await part in try request.multipartParts() {
                guard let name = part.head.fileName else {
                    lines.append(String(decoding: try await part.collect(upTo: 99), as: UTF8.self))
                    continue
                }
                let saved = try? await part.save(into: path, named: name)
                lines.append(saved.map { "\($0.byteCount)" } ?? "taken")
            }
            return lines.joined(separator: " ")
        }
        #expect(answer.text == "0 1 300000 70 taken 2000000 between 5 262144 90000")
        for (number, content) in contents.enumerated() {
            let stored = try WholeFile.read("\(path)/\(number)", byteCountMax: 1 << 22)
            #expect(stored == Array(content.utf8), "\(number)")
        }
    }

    @Test(arguments: [0, 1, 5])
    func `are read on behind one that could not be stored`(failingBlock: Int) async throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 400_000)
        let text = multipart([("a", "x", String(decoding: long, as: UTF8.self)), ("b", nil, "2")])
        let bytes = Array(text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: 50_000).map {
            Array(bytes[$0..<min($0 + 50_000, bytes.count)])
        }
        let pool = BlockingPool(clock: .withoutLoop)
        let body = HTTPBody(memory: MemoryBody(pieces, length: nil), pool: pool)
        let boundary = try MultipartBoundary(contentType: multipartType)
        let parts = MultipartParts(
            reader: MultipartReader(boundary, MultipartLimits(), body, pool: pool))
        var iterator = parts.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        let blocks = Locked(0)
        await #expect(throws: Errno.accessDenied) {
            try await first.reader.relay(first.number) { _ in
                let count = blocks.withLock { count in
                    count += 1
                    return count
                }
                if count > failingBlock { throw Errno.accessDenied }
            }
        }
        let second = try #require(try await iterator.next())
        let collected = try await second.collect(upTo: 10)
        #expect(second.head.name == "b" && collected == [UInt8(ascii: "2")])
        #expect(try await iterator.next() == nil)
    }
}
