/// Reads the head of a request (RFC 9112 §3 and §5).
///
/// The input starts at the same first byte each time and grows between the calls. The parser
/// remembers where it got to, so the work is linear however the bytes arrive; bytes are judged in
/// order, so where they were cut makes no difference. After an error it is of no further use.
package struct HTTPRequestParser: Sendable {
    private var line: RequestLineParser
    private var fields: FieldSectionParser
    private var isInFields = false

    /// A parser for one head; costs no allocation.
    package init(limits: HTTPHeadLimits = HTTPHeadLimits()) {
        line = RequestLineParser(lineMax: limits.requestLineMax)
        fields = FieldSectionParser(limits: limits)
    }

    /// Reads on: the head once it is complete, nil if more bytes are needed.
    package mutating func parse(
        _ input: borrowing Span<UInt8>
    ) throws(HTTPParseError) -> HTTPRequestHead? {
        if !isInFields {
            guard try line.parse(input) else { return nil }
            fields.begin(at: line.position)
            isInFields = true
        }
        guard try fields.parse(input) else { return nil }
        return try HTTPRequestHead.read(
            input, line: line, byteCount: fields.position, entries: fields.takeEntries())
    }
}
