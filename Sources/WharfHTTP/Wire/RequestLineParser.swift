/// Reads a request line (RFC 9112 §3), and up to two empty lines before it (§2.2).
///
/// The input starts at the same first byte each time and grows; every byte is looked at once.
struct RequestLineParser: Sendable {
    private enum Stage: UInt8 {
        case start, emptyLineFeed, method, targetStart, target, version, lineFeed, finished
    }

    private static let emptyLineCountMax = 2

    private let lineMax: Int
    private var stage = Stage.start
    /// The next byte to look at; once finished, the first byte after the line.
    private(set) var position = 0
    private var emptyLineCount = 0
    private var lineLimit = 0
    private var versionStart = 0
    private var major: UInt8 = 0
    private var minor: UInt8 = 0
    private(set) var methodStart = 0
    private(set) var targetRange = 0..<0

    init(lineMax: Int) {
        self.lineMax = lineMax
    }

    var methodRange: Range<Int> { methodStart..<targetRange.lowerBound - 1 }

    var version: HTTPVersion { minor == 0 ? .http10 : .http11 }

    /// Reads on; true once the line is complete.
    mutating func parse(_ input: borrowing Span<UInt8>) throws(HTTPParseError) -> Bool {
        while position < input.count {
            switch stage {
            case .start: try begin(input[position])
            case .emptyLineFeed:
                try expectLineFeed(input[position])
                stage = .start
            case .method: try readMethod(input)
            case .targetStart:
                targetRange = position..<position
                stage = .target
            case .target: try readTarget(input)
            case .version: try readVersion(input)
            case .lineFeed:
                try expectLineFeed(input[position])
                stage = .finished
                return true
            case .finished: return true
            }
        }
        return stage == .finished
    }

    private mutating func expectLineFeed(_ byte: UInt8) throws(HTTPParseError) {
        guard byte == ASCII.lineFeed else { throw .bad("bare CR in the request line") }
        position += 1
    }

    private mutating func begin(_ byte: UInt8) throws(HTTPParseError) {
        guard byte == ASCII.carriageReturn else {
            methodStart = position
            lineLimit = position + lineMax
            stage = .method
            return
        }
        guard emptyLineCount < Self.emptyLineCountMax else {
            throw .bad("too many empty lines before the request line")
        }
        emptyLineCount += 1
        position += 1
        stage = .emptyLineFeed
    }

    private mutating func readMethod(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        var index = position
        let end = min(input.count, lineLimit + 1)
        while index < end {
            let byte = input[index]
            index += 1
            if ASCII.isToken(byte) { continue }
            guard byte == ASCII.space, index - 1 > methodStart else {
                throw .bad("method is not a token followed by a space")
            }
            stage = .targetStart
            break
        }
        position = index
        guard index <= lineLimit else { throw Self.tooLong }
    }

    private mutating func readTarget(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        var index = position
        let end = min(input.count, lineLimit + 1)
        while index < end {
            let byte = input[index]
            index += 1
            if ASCII.isTarget(byte) { continue }
            guard byte == ASCII.space, index - 1 > targetRange.lowerBound else {
                throw .bad("forbidden character in the request target")
            }
            targetRange = targetRange.lowerBound..<index - 1
            versionStart = index
            stage = .version
            break
        }
        position = index
        guard index <= lineLimit else { throw Self.tooLong }
    }

    private mutating func readVersion(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        while position < input.count {
            let byte = input[position]
            let offset = position - versionStart
            position += 1
            switch offset {
            case 0: try expect(byte, 0x48)
            case 1, 2: try expect(byte, 0x54)
            case 3: try expect(byte, 0x50)
            case 4: try expect(byte, ASCII.slash)
            case 5, 7:
                guard ASCII.isDigit(byte) else { throw Self.badVersion }
                if offset == 5 { major = byte - ASCII.zero } else { minor = byte - ASCII.zero }
            case 6: try expect(byte, ASCII.dot)
            default:
                try expect(byte, ASCII.carriageReturn)
                guard position - 1 <= lineLimit else { throw Self.tooLong }
                guard major == 1 else {
                    throw HTTPParseError(.httpVersionNotSupported, "major version is not 1")
                }
                stage = .lineFeed
                return
            }
        }
    }

    @inline(__always)
    private func expect(_ byte: UInt8, _ wanted: UInt8) throws(HTTPParseError) {
        guard byte == wanted else { throw Self.badVersion }
    }

    private static var badVersion: HTTPParseError { .bad("malformed HTTP version") }

    private static var tooLong: HTTPParseError {
        HTTPParseError(.uriTooLong, "request line too long")
    }
}
