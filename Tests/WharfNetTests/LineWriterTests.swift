import Glibc
import Testing
@testable import WharfNet

@Suite(.timeLimit(.minutes(1))) struct `A writer of lines` {
    /// A pipe, and a writer that writes into it.
    private struct Piped {
        let readEnd: Int32
        let writer: LineWriter

        init() {
            var ends: [Int32] = [0, 0]
            unsafe pipe(&ends)
            readEnd = ends[0]
            writer = LineWriter(StandardStream(descriptor: ends[1])) { "\($0) dropped" }
        }

        /// The lines that come, up to one that is wanted.
        func lines(upTo last: String) -> [String] {
            var text = ""
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while !text.hasSuffix(last + "\n") {
                let count = unsafe read(readEnd, &bytes, bytes.count)
                guard count > 0 else { break }
                text += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test func `writes lines in their order`() {
        let piped = Piped()
        for number in 0..<100 { piped.writer.write("\(number)") }
        #expect(piped.writer.flush(seconds: 10))
        #expect(piped.lines(upTo: "99") == (0..<100).map(String.init))
    }

    @Test func `keeps nobody waiting for a reader, and says what it dropped`() {
        let piped = Piped()
        let padding = String(repeating: "x", count: 990)
        for number in 0..<5000 { piped.writer.write("\(number) \(padding)") }
        #expect(!piped.writer.flush(seconds: 0))
        // Twice its queue, for what the thread holds, and what a pipe holds.
        let keptMax = (2 * LineWriter.byteCountMax + 65_536) / 990
        var kept: [String] = []
        var dropped = 0
        var text: [String] = []
        while dropped == 0 {
            text += piped.lines(upTo: " dropped")
            dropped = text.last.flatMap { Int($0.prefix { $0 != " " }) } ?? 0
        }
        kept = text.dropLast().map { String($0.prefix { $0 != " " }) }
        #expect(kept == (0..<kept.count).map(String.init))
        #expect(kept.count + dropped == 5000)
        #expect(kept.count <= keptMax && kept.count > LineWriter.byteCountMax / 1000)
        piped.writer.write("later")
        #expect(piped.lines(upTo: "later") == ["later"])
    }

    @Test func `waits for a reader no longer than it is told to`() {
        let piped = Piped()
        let clock = System.withoutLoop
        for _ in 0..<1000 { piped.writer.write(String(repeating: "x", count: 100)) }
        let start = clock.now()
        #expect(!piped.writer.flush(seconds: 1))
        #expect(clock.now() - start < 10_000_000_000)
    }
}
