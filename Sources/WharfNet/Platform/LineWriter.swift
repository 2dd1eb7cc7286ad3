#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes lines to a stream of the process from a thread of its own.
///
/// Nobody waits for whoever reads the stream, or doesn't: lines that find no room in the queue are
/// dropped and counted, and a line that says how many takes their place. A line that comes alone is
/// written at once; those that follow it within 10 ms are written together.
package final class LineWriter: @unchecked Sendable {
    // @unchecked: everything mutable is used under the monitor's lock.

    /// Bytes that may wait to be written.
    package static let byteCountMax = 1 << 20

    private let stream: StandardStream
    private let noteOfDropped: @Sendable (Int) -> String
    private let monitor = Monitor()
    private var lines = Lines()
    private var droppedCount = 0
    private var hasThread = false
    private var isWriting = false
    /// The thread has nothing to do, and has to be woken.
    private var isIdle = false

    private static let pause = 10
    /// Bytes that several processes may write to one pipe without mixing (POSIX's PIPE_BUF).
    private static let wholeMax = 4096

    /// Makes one for a stream; `noteOfDropped` makes the line that stands for so many others.
    package init(
        _ stream: StandardStream, noteOfDropped: @escaping @Sendable (Int) -> String
    ) {
        self.stream = stream
        self.noteOfDropped = noteOfDropped
    }

    /// Writes a line, given without its end, soon.
    package func write(_ line: String) { write(Array(line.utf8)) }

    /// Writes a line of UTF-8, given without its end, soon.
    package func write(_ line: [UInt8]) {
        monitor.locked {
            let count = lines.bytes.count + line.count + 1
            guard startThread(), count <= Self.byteCountMax else {
                droppedCount += 1
                return
            }
            lines.append(line)
            if isIdle { monitor.broadcast() }
        }
    }

    /// Waits until everything is written, at most about so many seconds: whether it is.
    @discardableResult
    package func flush(seconds: Int) -> Bool {
        let clock = System.withoutLoop
        let deadline = clock.now() &+ UInt64(max(0, seconds)) &* 1_000_000_000
        return monitor.locked {
            while isWriting || hasWork {
                guard clock.now() < deadline else { return false }
                _ = monitor.wait(seconds: 1)
            }
            return true
        }
    }

    private var hasWork: Bool { !lines.ends.isEmpty || droppedCount > 0 }

    /// Starts the thread with the first line; false when there is none, and then the next line tries.
    private func startThread() -> Bool {
        if hasThread { return true }
        do throws(Errno) {
            try Thread.start(name: "wharf-log") { [self] in
                while true { writeAll(take()) }
            }
            hasThread = true
        } catch {
            hasThread = false
        }
        return hasThread
    }

    /// Lines with their ends, and where each ends.
    private struct Lines {
        var bytes: [UInt8] = []
        var ends: [Int] = []

        mutating func append(_ line: [UInt8]) {
            bytes.append(contentsOf: line)
            bytes.append(UInt8(ascii: "\n"))
            ends.append(bytes.count)
        }
    }

    private struct Batch {
        let lines: Lines
        let droppedCount: Int
    }

    /// Waits for lines and takes them all.
    private func take() -> Batch {
        monitor.locked {
            if isWriting {
                isWriting = false
                monitor.broadcast()
                _ = monitor.wait(milliseconds: Self.pause)
            }
            isIdle = true
            while !hasWork { monitor.wait() }
            isIdle = false
            isWriting = true
            defer {
                lines = Lines()
                droppedCount = 0
            }
            return Batch(lines: lines, droppedCount: droppedCount)
        }
    }

    /// Writes whole lines, as many in a call as don't mix with those of other processes.
    private func writeAll(_ batch: Batch) {
        let (bytes, ends) = (batch.lines.bytes, batch.lines.ends)
        var start = 0
        for (index, end) in ends.enumerated() {
            let next = index + 1 < ends.count ? ends[index + 1] : .max
            guard next - start > Self.wholeMax else { continue }
            stream.write(bytes[start..<end])
            start = end
        }
        guard batch.droppedCount > 0 else { return }
        stream.write(noteOfDropped(batch.droppedCount) + "\n")
    }
}
