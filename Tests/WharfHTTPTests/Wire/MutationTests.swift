import Testing
import WharfHTTP

/// Seeded mutations of good messages: nothing may trap, and cuts may not matter.
@Suite struct MutationTests {
    private static let pieces = [
        "\r\n", "\r", "\n", "\u{0}", " ", "\t", ":", ",", ";", "/", "#", "chunked", "100-continue",
        "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "HTTP/1.1", "0",
        "ffffffffffffffff", "9223372036854775808", "\u{FF}", "[::1]", "http://", "*", "\"", "\\",
    ]

    private static func mutate(
        _ input: [UInt8], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var result = input
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0...result.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where index < result.count: result.remove(at: index)
            case 1 where index < result.count:
                result[index] = UInt8.random(in: 0...255, using: &generator)
            case 2:
                let end = Int.random(in: index...result.count, using: &generator)
                let target = Int.random(in: 0...result.count, using: &generator)
                result.insert(contentsOf: result[index..<end].prefix(40), at: target)
            case 3: result.removeSubrange(index..<min(result.count, index + 5))
            default:
                let piece = pieces.randomElement(using: &generator) ?? ""
                result.insert(contentsOf: latin1(piece), at: index)
            }
        }
        return result
    }

    private static func cuts(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
        (0..<3).map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
    }

    @Test(arguments: 0..<4) func `mutated heads never trap and ignore cuts`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var counts = (complete: 0, refused: 0)
        for round in 0..<8_000 {
            let base = SplitTests.heads[round % SplitTests.heads.count]
            let input = Self.mutate(base, &generator)
            let whole = parseHead(input)
            if whole.value != nil { counts.complete += 1 }
            if whole.status != nil { counts.refused += 1 }
            let cuts = Self.cuts(input.count, &generator)
            if parseHead(input, cuts: cuts) != whole {
                Issue.record("seed \(seed) round \(round) cuts \(cuts): \(input)")
            }
        }
        // The mutations must reach both sides, or the test says nothing.
        #expect(counts.complete > 500 && counts.refused > 500)
    }

    @Test(arguments: 0..<4) func `mutated chunks never trap and ignore cuts`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var counts = (complete: 0, refused: 0)
        for round in 0..<8_000 {
            let base = SplitTests.chunked[round % SplitTests.chunked.count]
            let input = Self.mutate(base, &generator)
            let whole = decodeChunks(input)
            if whole.value != nil { counts.complete += 1 }
            if whole.status != nil { counts.refused += 1 }
            let cuts = Self.cuts(input.count, &generator)
            if decodeChunks(input, cuts: cuts) != whole {
                Issue.record("seed \(seed) round \(round) cuts \(cuts): \(input)")
            }
        }
        #expect(counts.complete > 500 && counts.refused > 500)
    }

    @Test func `mutated response heads never trap and ignore cuts`() {
        var generator = SeededGenerator(seed: 5)
        let bases = [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.0 404 \r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n",
        ]
        for round in 0..<8_000 {
            let input = Self.mutate(bytes(bases[round % 2]), &generator)
            let cuts = Self.cuts(input.count, &generator)
            if parseResponse(input) != parseResponse(input, cuts: cuts) {
                Issue.record("round \(round) cuts \(cuts): \(input)")
            }
        }
    }
}
