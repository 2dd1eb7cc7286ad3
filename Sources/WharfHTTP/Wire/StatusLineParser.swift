/// Reads a status line (RFC 9112 §4); every byte is looked at once.
struct StatusLineParser: Sendable {
    private let lineMax: Int
    private(set) var position = 0
    private var isFinished = false
    private var hasCarriageReturn = false
    private var minor: UInt8 = 0
    private(set) var code = 0
    private var lineEnd = 0

    init(lineMax: Int) {
        self.lineMax = lineMax
    }

    var version: HTTPVersion { minor == 0 ? .http10 : .http11 }

    /// The phrase without the space before it; `HTTP/1.1 200` alone is taken too, as some servers
    /// leave the space out.
    var phraseRange: Range<Int> { min(13, lineEnd)..<lineEnd }

    /// Reads on; true once the line is complete.
    mutating func parse(_ input: borrowing Span<UInt8>) throws(HTTPParseError) -> Bool {
        while !isFinished, position < input.count {
            try read(input[position])
            position += 1
        }
        return isFinished
    }

    private mutating func read(_ byte: UInt8) throws(HTTPParseError) {
        if hasCarriageReturn {
            guard byte == ASCII.lineFeed else { throw Self.malformed }
            isFinished = true
            return
        }
        switch position {
        case 0: try expect(byte == 0x48)
        case 1, 2: try expect(byte == 0x54)
        case 3: try expect(byte == 0x50)
        case 4: try expect(byte == ASCII.slash)
        case 5: try expect(byte == 0x31)
        case 6: try expect(byte == ASCII.dot)
        case 7:
            try expect(ASCII.isDigit(byte))
            minor = byte &- ASCII.zero
        case 8: try expect(byte == ASCII.space)
        case 9, 10, 11:
            try expect(ASCII.isDigit(byte))
            code = code * 10 + Int(byte &- ASCII.zero)
        default: try readPhrase(byte)
        }
    }

    private mutating func readPhrase(_ byte: UInt8) throws(HTTPParseError) {
        try expect(code >= 100)
        if byte == ASCII.carriageReturn {
            lineEnd = position
            hasCarriageReturn = true
            return
        }
        try expect(position > 12 ? ASCII.isFieldContent(byte) : byte == ASCII.space)
        try expect(position < lineMax)
    }

    private func expect(_ condition: Bool) throws(HTTPParseError) {
        guard condition else { throw Self.malformed }
    }

    private static var malformed: HTTPParseError {
        HTTPParseError(.badGateway, "malformed status line")
    }
}
