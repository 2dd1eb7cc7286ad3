#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes lines to a stream of the process from a thread of its own.
///
/// Nobody waits for whoever reads the stream, or doesn't: lines that find no room in the queue are
/// dropped and counted, and a line that says how many takes their place.
package final class LineWriter: @unchecked Sendable {
    // @unchecked: everything mutable is used under the monitor's lock.

    /// Bytes that may wait to be written.
    package static let byteCountMax = 1 << 20

    private let stream: StandardStream
    private let noteOfDropped: @Sendable (Int) -> String
    private let monitor = Monitor()
    private var lines: [String] = []
    private var byteCount = 0
    private var droppedCount = 0
    private var hasThread = false
    private var isWriting = false

    /// Makes one for a stream; `noteOfDropped` makes the line that stands for so many others.
    package init(
        _ stream: StandardStream, noteOfDropped: @escaping @Sendable (Int) -> String
    ) {
        self.stream = stream
        self.noteOfDropped = noteOfDropped
    }

    /// Writes a line, given without its end, soon.
    package func write(_ line: String) {
        monitor.locked {
            let count = line.utf8.count + 1
            guard startThread(), byteCount + count <= Self.byteCountMax else {
                droppedCount += 1
                return
            }
            lines.append(line + "\n")
            byteCount += count
            monitor.broadcast()
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

    private var hasWork: Bool { !lines.isEmpty || droppedCount > 0 }

    /// Starts the thread with the first line; false when there is none, and then the next line tries.
    private func startThread() -> Bool {
        if hasThread { return true }
        do throws(Errno) {
            try Thread.start(name: "wharf-log") { [self] in
                // Who waits for these signals waits elsewhere.
                TerminationSignals.block()
                while true { writeAll(take()) }
            }
            hasThread = true
        } catch {
            hasThread = false
        }
        return hasThread
    }

    private struct Batch {
        let lines: [String]
        let droppedCount: Int
    }

    /// Waits for lines and takes them all.
    private func take() -> Batch {
        monitor.locked {
            isWriting = false
            monitor.broadcast()
            while !hasWork { monitor.wait() }
            isWriting = true
            defer {
                lines = []
                byteCount = 0
                droppedCount = 0
            }
            return Batch(lines: lines, droppedCount: droppedCount)
        }
    }

    private func writeAll(_ batch: Batch) {
        // One call a line, so that lines of several processes do not mix.
        for line in batch.lines { stream.write(line) }
        guard batch.droppedCount > 0 else { return }
        stream.write(noteOfDropped(batch.droppedCount) + "\n")
    }
}
