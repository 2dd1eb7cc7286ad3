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
        case .common: commonLine(isCombined: false)
        case .combined: commonLine(isCombined: true)
        case .json: jsonLine
        }
    }

    private func commonLine(isCombined: Bool) -> String {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        LogText.append(word: clientAddress.host, to: &line)
        line.append(contentsOf: " - ".utf8)
        LogText.append(word: userName ?? "", to: &line)
        line.append(contentsOf: " [".utf8)
        HTTPDate(unixSeconds: startMilliseconds / 1000).append(forLog: &line)
        line.append(contentsOf: "] \"".utf8)
        LogText.append(method.rawValue, to: &line)
        line.append(UInt8(ascii: " "))
        LogText.append(target, to: &line)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: version.utf8)
        line.append(contentsOf: "\" ".utf8)
        line.append(contentsOf: (status.map { String($0.code) } ?? "-").utf8)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: (byteCount == 0 ? "-" : String(byteCount)).utf8)
        if isCombined {
            for name in [HTTPField.Name.referer, .userAgent] {
                line.append(UInt8(ascii: " "))
                LogText.append(quoted: head.headerFields[name] ?? "-", to: &line)
            }
        }
        return String(decoding: line, as: UTF8.self)
    }

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
