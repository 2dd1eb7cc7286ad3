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

        /// The lines that come until the closure, which sees each, says that it was the last.
        ///
        /// It ends too when nothing comes for five seconds.
        func read(_ isLast: (String) -> Bool) {
            var text = ""
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                var entry = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&entry, 1, 5000) > 0 else { return }
                let count = unsafe Glibc.read(readEnd, &bytes, bytes.count)
                guard count > 0 else { return }
                text += String(decoding: bytes[..<count], as: UTF8.self)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                for line in lines.dropLast() where isLast(String(line)) { return }
                text = String(lines[lines.count - 1])
            }
        }
    }

    @Test func `writes lines in their order`() {
        let piped = Piped()
        for number in 0..<100 { piped.writer.write("\(number)") }
        #expect(piped.writer.flush(seconds: 10))
        var lines: [String] = []
        piped.read { line in
            lines.append(line)
            return line == "99"
        }
        #expect(lines == (0..<100).map(String.init))
    }

    @Test func `keeps nobody waiting for a reader, and says what it dropped`() {
        let piped = Piped()
        let padding = String(repeating: "x", count: 990)
        for number in 0..<5000 { piped.writer.write("\(number) \(padding)") }
        #expect(!piped.writer.flush(seconds: 0))
        // Twice its queue, for what the thread holds, and what a pipe holds.
        let keptMax = (2 * LineWriter.byteCountMax + 65_536) / 990
        var (keptCount, droppedCount) = (0, 0)
        piped.read { line in
            let number = line.prefix { $0 != " " }
            if line.hasSuffix(" dropped") {
                droppedCount += Int(number) ?? 0
            } else {
                // What is missing before it has been told.
                #expect(Int(number) == keptCount + droppedCount)
                keptCount += 1
            }
            return keptCount + droppedCount == 5000
        }
        #expect(keptCount + droppedCount == 5000 && droppedCount > 0)
        #expect(keptCount <= keptMax && keptCount > LineWriter.byteCountMax / 1000)
        piped.writer.write("later")
        var last: String?
        piped.read { line in
            last = line
            return true
        }
        #expect(last == "later")
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
