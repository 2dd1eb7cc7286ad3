import WharfNet

/// A line for each request, written when it is over.
///
///     configuration.accessLog = .standardError(.combined)
public struct AccessLog: Sendable {
    /// How a line looks.
    public enum Format: String, Sendable, CaseIterable {
        /// For people: address, method, target, status, bytes, milliseconds.
        case plain
        /// The Common Log Format of NCSA's and most servers since.
        case common
        /// The same with the referrer and the client's name for itself.
        case combined
        /// A JSON object, with the time in ISO 8601, bytes both ways and the trace.
        case json
    }

    private enum Sink: Sendable {
        case writer(LineWriter)
        case closure(@Sendable (String) -> Void)
    }

    /// How a line looks.
    public var format: Format
    private let sink: Sink

    /// Makes a log out of a closure.
    ///
    /// It takes one line, without a line end; it may be called from any thread and must be quick.
    public init(format: Format, write: @escaping @Sendable (String) -> Void) {
        self.format = format
        sink = .closure(write)
    }

    private init(format: Format, _ writer: LineWriter) {
        self.format = format
        sink = .writer(writer)
    }

    /// Lines on standard error as they are; see ``HTTPLog/standardError(_:)``.
    public static func standardError(_ format: Format) -> AccessLog {
        AccessLog(format: format, HTTPLog.errorWriter)
    }

    /// Writes a request's line; `line` is where it is made.
    func write(_ summary: HTTPServer.RequestSummary, _ line: inout LogLine) {
        line.begin()
        line.append(summary, format)
        switch sink {
        case .writer(let writer): writer.write(line.bytes)
        case .closure(let write): write(line.text)
        }
    }
}

extension HTTPServer.RequestSummary {
    /// A line about the request: ASCII, and harmless whatever the client has sent.
    public func line(_ format: AccessLog.Format) -> String {
        var line = LogLine()
        line.append(self, format)
        return line.text
    }
}
