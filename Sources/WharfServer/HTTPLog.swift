import WharfHTTP
package import WharfNet

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

    /// Lines on standard error, each with the time in UTC.
    ///
    /// A thread of its own writes them. While nobody reads them 1 MiB is kept; what comes then is
    /// dropped and counted. At a normal exit of the process what is left is written, for a second.
    public static func standardError(_ level: Level) -> HTTPLog {
        HTTPLog(level: level) { level, line in errorWriter.write(stamped(level, line)) }
    }

    /// What writes to standard error.
    package static let errorWriter: LineWriter = {
        ProcessSettings.onExit { HTTPLog.errorWriter.flush(seconds: 1) }
        return LineWriter(.error) { stamped(.notice, "\($0) lines dropped") }
    }()

    /// A line as it is written: `2026-01-31T12:00:00.000Z wharf notice: it`.
    static func stamped(
        _ level: Level, _ line: String, milliseconds: Int64 = System.withoutLoop.unixMilliseconds()
    ) -> String {
        "\(time(milliseconds)) wharf \(level): \(line)"
    }

    /// Milliseconds since 1970 as `2026-01-31T12:00:00.000Z`.
    static func time(_ milliseconds: Int64) -> String {
        let seconds = HTTPDate(unixSeconds: milliseconds / 1000).iso8601.dropLast()
        return "\(seconds).\(String(milliseconds % 1000 + 1000).dropFirst())Z"
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
