import WharfHTTP
import WharfNet

/// One line of an access log, as it is made: its memory is used for the next one.
struct LogLine {
    private(set) var bytes: [UInt8] = []
    /// The date of the line before, which mostly has the same second.
    private var second = Int64.min
    private var date: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Empties it.
    mutating func begin() { bytes.removeAll(keepingCapacity: true) }

    /// Appends what is known of a request.
    mutating func append(_ request: HTTPServer.RequestSummary, _ format: AccessLog.Format) {
        switch format {
        case .plain: bytes.append(contentsOf: HTTPLog.escape(request.description).utf8)
        case .common: appendCommon(request)
        case .combined:
            appendCommon(request)
            appendQuoted(.referer, of: request)
            appendQuoted(.userAgent, of: request)
        case .json: appendJSON(request)
        }
    }

    // MARK: Common and combined

    private mutating func appendCommon(_ request: HTTPServer.RequestSummary) {
        append(host: request.clientAddress)
        bytes.append(" - ")
        LogText.append(word: request.userName ?? "", to: &bytes)
        bytes.append(" [")
        append(date: request.startMilliseconds / 1000)
        bytes.append("] \"")
        LogText.append(request.method.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        LogText.append(request.target, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: request.version.utf8)
        bytes.append("\" ")
        append(request.status.map { Int64($0.code) })
        bytes.append(UInt8(ascii: " "))
        append(request.byteCount == 0 ? nil : request.byteCount)
    }

    private mutating func append(_ number: Int64?) {
        guard let number else { return bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: number)
    }

    private mutating func appendQuoted(
        _ name: HTTPField.Name, of request: HTTPServer.RequestSummary
    ) {
        bytes.append(" \"")
        let fields = request.head.headerFields
        if let value = fields.onlyValueBytes(of: name) {
            LogText.append(value.span, to: &bytes)
        } else {
            LogText.append(fields[name] ?? "-", to: &bytes)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(host address: SocketAddress) {
        guard case .ipv4(let bits, _) = address else {
            return LogText.append(word: address.host, to: &bytes)
        }
        bytes.append(decimal: Int64(bits >> 24))
        for shift: UInt32 in stride(from: 16, through: 0, by: -8) {
            bytes.append(UInt8(ascii: "."))
            bytes.append(decimal: Int64(bits >> shift & 255))
        }
    }

    private mutating func append(date unixSeconds: Int64) {
        if second != unixSeconds {
            date.removeAll(keepingCapacity: true)
            HTTPDate(unixSeconds: unixSeconds).append(forLog: &date)
            second = unixSeconds
        }
        bytes.append(contentsOf: date)
    }

    // MARK: JSON

    private mutating func appendJSON(_ request: HTTPServer.RequestSummary) {
        bytes.append("{\"time\":")
        LogText.append(json: HTTPLog.time(request.startMilliseconds), to: &bytes)
        append(member: "client", request.clientAddress.host)
        append(member: "method", request.method.rawValue)
        append(member: "target", request.target)
        append(member: "version", request.version)
        append(member: "status", literal: request.status.map { "\($0.code)" } ?? "null")
        append(member: "complete", literal: "\(request.isComplete)")
        append(member: "received", literal: "\(request.receivedByteCount)")
        append(member: "sent", literal: "\(request.byteCount)")
        append(member: "milliseconds", literal: request.duration.milliseconds)
        append(member: "connection", literal: "\(request.id.connectionID)")
        append(member: "request", literal: "\(request.id.number)")
        let fields = request.head.headerFields
        append(member: "user", request.userName)
        append(member: "referrer", fields[.referer])
        append(member: "agent", fields[.userAgent])
        append(member: "trace", fields[.traceParent].flatMap { TraceContext($0) }?.traceID)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func append(member name: StaticString, literal: String) {
        appendName(name)
        bytes.append(contentsOf: literal.utf8)
    }

    private mutating func append(member name: StaticString, _ text: String?) {
        guard let text else { return }
        appendName(name)
        LogText.append(json: text, to: &bytes)
    }

    private mutating func appendName(_ name: StaticString) {
        bytes.append(",\"")
        bytes.append(name)
        bytes.append("\":")
    }
}

extension HTTPServer.RequestSummary {
    fileprivate var startMilliseconds: Int64 {
        endMilliseconds - Int64(clamping: duration.nanoseconds / 1_000_000)
    }
}
