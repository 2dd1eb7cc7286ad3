/// Writes the heads of messages (RFC 9112 §2 to §5).
///
/// Nothing that it writes can hold a line end inside: names are tokens, and ``HTTPField`` makes
/// values valid. Values passed as bytes are made valid here.
package enum HeadSerializer {
    /// Appends `HTTP/1.1`, the code and the phrase, with the line's end.
    package static func appendStatusLine(
        _ status: HTTPResponse.Status, to output: inout [UInt8]
    ) {
        if status.isRegistered, status.code < statusLines.count,
            !statusLines[status.code].isEmpty
        {
            output.append(contentsOf: statusLines[status.code])
        } else {
            output.append(contentsOf: statusLine(status))
        }
    }

    /// Appends method, target and version, with the line's end.
    ///
    /// An empty or impossible target becomes `/`, and bytes that cannot stand in one are percent-
    /// encoded.
    package static func appendRequestLine(_ request: HTTPRequest, to output: inout [UInt8]) {
        output.append(contentsOf: request.method.rawValue.utf8)
        output.append(ASCII.space)
        let target = request.method == .connect ? request.authority : request.path
        let start = output.count
        for byte in (target ?? "").utf8 {
            if ASCII.isTarget(byte) {
                output.append(byte)
            } else {
                output.append(ASCII.percent)
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 0xF))
            }
        }
        if output.count == start { output.append(ASCII.slash) }
        output.append(" HTTP/1.1\r\n")
    }

    /// Appends all fields in their order.
    package static func appendFields(_ fields: HTTPFields, to output: inout [UInt8]) {
        fields.appendLines(to: &output)
    }

    /// Appends one field line whose value is a literal.
    package static func appendField(
        _ name: StaticString, _ value: StaticString, to output: inout [UInt8]
    ) {
        output.append(name)
        output.append(": ")
        output.append(value)
        output.appendLineEnd()
    }

    /// Appends one field line; control characters in the value become spaces.
    package static func appendField(
        _ name: StaticString, _ value: borrowing Span<UInt8>, to output: inout [UInt8]
    ) {
        output.append(name)
        output.append(": ")
        let start = output.count
        output.append(copying: value, 0..<value.count)
        for index in start..<output.count where !ASCII.isFieldContent(output[index]) {
            output[index] = ASCII.space
        }
        output.appendLineEnd()
    }

    /// Appends one field line; control characters in the value become spaces.
    package static func appendField(
        _ name: StaticString, _ value: String, to output: inout [UInt8]
    ) {
        output.append(name)
        output.append(": ")
        let start = output.count
        output.append(contentsOf: value.utf8)
        for index in start..<output.count where !ASCII.isFieldContent(output[index]) {
            output[index] = ASCII.space
        }
        output.appendLineEnd()
    }

    /// Appends a Content-Length; a negative count is a programmer's error.
    package static func appendContentLength(_ count: Int64, to output: inout [UInt8]) {
        precondition(count >= 0, "a length is not negative")
        output.append("Content-Length: ")
        output.append(decimal: count)
        output.appendLineEnd()
    }

    /// Appends the empty line that ends a head.
    package static func appendEnd(to output: inout [UInt8]) {
        output.appendLineEnd()
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero + value : 0x41 + value - 10
    }

    private static func statusLine(_ status: HTTPResponse.Status) -> [UInt8] {
        let digits = String(status.code)
        let padding = String(repeating: "0", count: 3 - digits.utf8.count)
        // RFC 9112 §4: the space before the phrase stays even if there is no phrase.
        return Array("HTTP/1.1 \(padding)\(digits) \(status.reasonPhrase)\r\n".utf8)
    }

    // By code, so that a response builds no text; empty where no code is registered.
    private static let statusLines: [[UInt8]] = {
        var lines = [[UInt8]](repeating: [], count: 600)
        for code in HTTPResponse.Status.registeredCodes {
            lines[code] = statusLine(HTTPResponse.Status(registered: code))
        }
        return lines
    }()
}

extension HTTPFields {
    /// Appends the lines in the form of the wire.
    ///
    /// Lines that lie one after the other in that form, as they do when they were appended, are
    /// copied as one block.
    func appendLines(to output: inout [UInt8]) {
        var runStart = 0
        var runEnd = 0
        for entry in entries {
            let name = entry.nameRange
            let value = entry.valueRange
            if isLine(name, value) {
                if name.lowerBound != runEnd {
                    output.append(contentsOf: arena[runStart..<runEnd])
                    runStart = name.lowerBound
                }
                runEnd = value.upperBound + 2
                continue
            }
            output.append(contentsOf: arena[runStart..<runEnd])
            runStart = runEnd
            output.append(contentsOf: arena[name])
            output.append(": ")
            output.append(contentsOf: arena[value])
            output.appendLineEnd()
        }
        output.append(contentsOf: arena[runStart..<runEnd])
    }

    /// Whether `name: value CRLF` is what the arena holds there.
    private func isLine(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
        name.upperBound + 2 == value.lowerBound && value.upperBound + 2 <= arena.count
            && arena[name.upperBound] == ASCII.colon
            && arena[name.upperBound + 1] == ASCII.space
            && arena[value.upperBound] == ASCII.carriageReturn
            && arena[value.upperBound + 1] == ASCII.lineFeed
    }
}
