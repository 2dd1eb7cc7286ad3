/// One event of an event stream, as browsers' `EventSource` reads it (HTML standard, §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What it says; without it browsers take notice of the rest, and dispatch nothing.
    public let data: String?
    /// Its type; without one it is a `message`.
    public let event: String?
    /// What a browser that lost the connection sends back as Last-Event-ID.
    public let id: String?
    /// How long browsers wait before they connect again, in whole milliseconds.
    public let retry: Duration?

    /// An event.
    ///
    /// Throws ``ServerSentEventError`` if `event` or `id` has a line end or NUL, which can't be sent
    /// there. `data` may be any text: the browser gets each line end as LF.
    public init(
        _ data: String?, event: String? = nil, id: String? = nil, retry: Duration? = nil
    ) throws(ServerSentEventError) {
        if let event, !Self.isLine(event) { throw ServerSentEventError(field: "event") }
        if let id, !Self.isLine(id) { throw ServerSentEventError(field: "id") }
        self.data = data
        self.event = event
        self.id = id
        self.retry = retry
    }

    /// Appends the event as it is sent, in UTF-8.
    package func append(to output: inout [UInt8]) {
        if let event { Self.append("event", event.utf8, to: &output) }
        if let id { Self.append("id", id.utf8, to: &output) }
        if let retry {
            let (seconds, attoseconds) = max(retry, .zero).components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            let milliseconds =
                overflow ? Int64.max : max(whole, whole &+ attoseconds / 1_000_000_000_000_000)
            Self.append("retry", "\(milliseconds)".utf8, to: &output)
        }
        if let data {
            Self.forEachLine(of: Array(data.utf8)) { Self.append("data", $0, to: &output) }
        }
        output.append(ASCII.lineFeed)
    }

    /// Appends lines that browsers skip: they show those on the way that the stream is alive.
    package static func appendComment(_ text: String, to output: inout [UInt8]) {
        forEachLine(of: Array(text.utf8)) { append("", $0, to: &output) }
        output.append(ASCII.lineFeed)
    }

    private static func append(
        _ name: String, _ value: some Collection<UInt8>, to output: inout [UInt8]
    ) {
        output.append(contentsOf: name.utf8)
        output.append(ASCII.colon)
        if !value.isEmpty {
            // One space is dropped by who reads it, so that values may begin with one.
            output.append(ASCII.space)
            output.append(contentsOf: value)
        }
        output.append(ASCII.lineFeed)
    }

    /// Lines end with LF, CR or both: each would end a field.
    private static func forEachLine(of text: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            guard byte == ASCII.lineFeed || byte == ASCII.carriageReturn else {
                index += 1
                continue
            }
            body(text[start..<index])
            let isPair =
                byte == ASCII.carriageReturn && index + 1 < text.count
                && text[index + 1] == ASCII.lineFeed
            index += isPair ? 2 : 1
            start = index
        }
        body(text[start...])
    }

    private static func isLine(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 != 0 && $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
    }
}

/// A type or an ID of an event has a line end or NUL in it.
public struct ServerSentEventError: Error, Sendable, Hashable {
    /// Which of them: `event` or `id`.
    public let field: String
}
