import WharfHTTP
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

    /// How a line looks.
    public var format: Format
    /// Takes one line, without a line end; it may be called from any thread and must be quick.
    public var write: @Sendable (String) -> Void

    /// Makes a log out of a closure.
    public init(format: Format, write: @escaping @Sendable (String) -> Void) {
        self.format = format
        self.write = write
    }

    /// Lines on standard error as they are; see ``HTTPLog/standardError(_:)``.
    public static func standardError(_ format: Format) -> AccessLog {
        AccessLog(format: format) { HTTPLog.errorWriter.write($0) }
    }
}

extension HTTPServer.RequestSummary {
    /// A line about the request: ASCII, and harmless whatever the client has sent.
    public func line(_ format: AccessLog.Format) -> String {
        switch format {
        case .plain: HTTPLog.escape(description)
        case .common: commonLine
        case .combined:
            "\(commonLine) \(quoted(head.headerFields[.referer])) "
                + quoted(head.headerFields[.userAgent])
        case .json: jsonLine
        }
    }

    private var commonLine: String {
        let time = HTTPDate(unixSeconds: startMilliseconds / 1000).logText
        let user = userName.map { LogText.word($0) } ?? "-"
        let request = LogText.quoted("\(method) \(target) \(version)")
        let code = status.map { "\($0.code)" } ?? "-"
        return "\(LogText.word(clientAddress.host)) - \(user) [\(time)] \(request) \(code) "
            + (byteCount == 0 ? "-" : "\(byteCount)")
    }

    private func quoted(_ value: String?) -> String { value.map { LogText.quoted($0) } ?? "\"-\"" }

    private var jsonLine: String {
        var members = [
            ("time", LogText.json(HTTPLog.time(startMilliseconds))),
            ("client", LogText.json(clientAddress.host)),
            ("method", LogText.json(method.rawValue)), ("target", LogText.json(target)),
            ("version", LogText.json(version)),
            ("status", status.map { "\($0.code)" } ?? "null"),
            ("complete", "\(isComplete)"), ("received", "\(receivedByteCount)"),
            ("sent", "\(byteCount)"), ("milliseconds", duration.milliseconds),
            ("connection", "\(id.connectionID)"), ("request", "\(id.number)"),
        ]
        let optional = [
            ("user", userName), ("referrer", head.headerFields[.referer]),
            ("agent", head.headerFields[.userAgent]),
            ("trace", head.headerFields[.traceParent].flatMap { TraceContext($0) }?.traceID),
        ]
        members += optional.compactMap { name, value in value.map { (name, LogText.json($0)) } }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private var startMilliseconds: Int64 {
        endMilliseconds - Int64(clamping: duration.nanoseconds / 1_000_000)
    }
}

extension HTTPDate {
    /// The date as logs have it: `31/Jan/2026:12:00:00 +0000`.
    fileprivate var logText: String {
        // `Sat, 31 Jan 2026 12:00:00 GMT`
        let parts = description.split(separator: " ")
        guard parts.count == 6 else { return "-" }
        return "\(parts[1])/\(parts[2])/\(parts[3]):\(parts[4]) +0000"
    }
}
