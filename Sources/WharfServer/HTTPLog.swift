import WharfNet

/// Where a server's log lines go.
public struct HTTPLog: Sendable {
    /// How much a line matters.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        /// For those who look for a fault in the server.
        case debug
        /// What happens, such as each request.
        case info
        /// What the server refused, and why.
        case notice
        /// What keeps the server from doing its work.
        case error

        /// Orders the levels by how much they matter.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Lines below it are not made.
    public var level: Level
    /// Takes one line, without a line end; it may be called from any thread and must be quick.
    public var write: @Sendable (Level, String) -> Void

    /// Makes a log out of a closure.
    public init(level: Level, write: @escaping @Sendable (Level, String) -> Void) {
        self.level = level
        self.write = write
    }

    /// No log at all.
    public static let none = HTTPLog(level: .error) { _, _ in }

    /// Lines on standard error.
    public static func standardError(_ level: Level) -> HTTPLog {
        HTTPLog(level: level) { level, line in
            // One call a line, so that lines of several threads do not mix.
            StandardStream.error.write("wharf \(level): \(line)\n")
        }
    }

    func callAsFunction(_ level: Level, _ line: @autoclosure () -> String) {
        guard level >= self.level else { return }
        write(level, Self.escape(line()))
    }

    /// Makes bytes of clients harmless to whoever reads the log: one line, at most 2 KiB, ASCII.
    static func escape(_ line: String) -> String {
        var safe: [UInt8] = []
        for byte in line.utf8 {
            let isPlain = byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\")
            guard safe.count + (isPlain ? 1 : 4) <= lineMax else { break }
            if isPlain {
                safe.append(byte)
            } else {
                safe += "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            }
        }
        return String(decoding: safe, as: UTF8.self)
    }

    private static let lineMax = 2048
}
