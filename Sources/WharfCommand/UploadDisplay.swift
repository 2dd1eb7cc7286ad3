import WharfHTTP
import WharfNet
import WharfUploadClient

/// Shows how far an upload is: a bar on a terminal, a line now and then elsewhere.
final class UploadDisplay: Sendable {
    private struct State {
        var hasBar = false
        var lastLine: UInt64?
    }

    private let name: String
    private let isTerminal = StandardStream.error.isTerminal
    private let started = System.withoutLoop.now()
    private let state = Locked(State())

    /// Nanoseconds between the lines of one that is no terminal.
    private static let lineTime: UInt64 = 10_000_000_000

    init(name: String) {
        self.name = Self.printable(name)
    }

    /// Shows it.
    func show(_ progress: UploadProgress) {
        if isTerminal {
            state.withLock { $0.hasBar = true }
            let width = StandardStream.error.columnCount
            StandardStream.error.write("\r\u{1B}[K" + bar(progress, width: width))
            return
        }
        let now = System.withoutLoop.now()
        let isDue = state.withLock { state -> Bool in
            let last = state.lastLine ?? started
            guard now - last >= Self.lineTime else { return false }
            state.lastLine = now
            return true
        }
        if isDue { StandardStream.error.write(words(progress) + "\n") }
    }

    /// Takes the bar away.
    func finish() {
        if state.withLock({ $0.hasBar }) { StandardStream.error.write("\r\u{1B}[K") }
    }

    /// `film.mov 42% [#####     ] 12.3 MB/s 0:41`, no wider than the terminal.
    func bar(_ progress: UploadProgress, width: Int) -> String {
        let percent = Int(progress.fraction * 100)
        let tail =
            progress.isFinishing
            ? " waiting for the answer"
            : " \(Self.size(progress.bytesPerSecond))/s" + Self.time(progress.timeLeft)
        let head = " \(percent)% "
        let room = width - 1 - head.count - tail.count
        guard room > 12 else { return String((head + tail).dropFirst().prefix(max(width - 1, 0))) }
        let shown = String(name.prefix(max(room - 24, 0)))
        let length = min(room - shown.count - 2, 40)
        let filled = Int(Double(length) * progress.fraction)
        let marks =
            String(repeating: "#", count: filled)
            + String(repeating: " ", count: length - filled)
        return shown + head + "[" + marks + "]" + tail
    }

    private func words(_ progress: UploadProgress) -> String {
        "\(name): \(Int(progress.fraction * 100))% of \(Self.size(Double(progress.totalCount))), "
            + "\(Self.size(progress.bytesPerSecond))/s" + Self.time(progress.timeLeft)
    }

    /// What is said of an upload that is done.
    func line(of result: UploadResult) -> String {
        let seconds = Double(System.withoutLoop.now() - started) / 1e9
        let tenths = Int(seconds * 10)
        var text = "Sent \(name): \(Self.size(Double(result.sentCount)))"
        if result.firstOffset > 0 {
            text += " from \(Self.size(Double(result.firstOffset))) on"
        }
        text += " in \(tenths / 10).\(tenths % 10) s, status \(result.status.code)"
        if result.retryCount > 0 { text += ", after \(result.retryCount) failures" }
        return text + "\n"
    }

    /// A number of bytes in a decimal unit.
    static func size(_ count: Double) -> String {
        var number = max(count, 0)
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB", "PB"] where number >= 999.5 {
            number /= 1000
            unit = next
        }
        guard unit != "B", number < 99.95 else { return "\(Int(number.rounded())) \(unit)" }
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// ` 1:02:03`; nothing for what is not known.
    private static func time(_ time: Duration?) -> String {
        guard let time else { return "" }
        let seconds = time.components.seconds
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds / 60 % 60
        guard seconds >= 3600 else { return " \(minutes):\(two(seconds % 60))" }
        return " \(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
    }

    /// A text without what would move a terminal's cursor or change its colours.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                    return isControl ? "?" : scalar
                }))
    }
}
