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
    /// The method, if the common case recognised it.
    private(set) var knownMethod: HTTPRequest.Method.Known?

    init(lineMax: Int) {
        self.lineMax = lineMax
    }

    var methodRange: Range<Int> { methodStart..<targetRange.lowerBound - 1 }

    var version: HTTPVersion { minor == 0 ? .http10 : .http11 }

    /// Reads on; true once the line is complete.
    mutating func parse(_ input: borrowing Span<UInt8>) throws(HTTPParseError) -> Bool {
        while position < input.count {
            switch stage {
            case .start:
                try begin(input[position])
                if stage == .method { readKnownMethod(input) }
            case .emptyLineFeed:
                try expectLineFeed(input[position])
                stage = .start
            case .method: try readMethod(input)
            case .targetStart:
                targetRange = position..<position
                stage = .target
            case .target:
                try readTarget(input)
                if stage == .version, readKnownVersion(input) { return true }
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

    /// The common case: one of the frequent methods with its space is there.
    private mutating func readKnownMethod(_ input: borrowing Span<UInt8>) {
        guard position &+ 8 <= input.count, lineMax > 8 else { return }
        let word = input.word(at: position)
        if word & 0xFFFF_FFFF == 0x2054_4547 {
            knownMethod = .get
            position &+= 4
        } else if word & 0xFFFF_FFFF == 0x2054_5550 {
            knownMethod = .put
            position &+= 4
        } else if word & 0xFF_FFFF_FFFF == 0x20_5453_4F50 {
            knownMethod = .post
            position &+= 5
        } else if word & 0xFF_FFFF_FFFF == 0x20_4441_4548 {
            knownMethod = .head
            position &+= 5
        } else {
            return
        }
        stage = .targetStart
    }

    /// The common case: `HTTP/1.1` and the line's end are there.
    ///
    /// True if they were.
    private mutating func readKnownVersion(_ input: borrowing Span<UInt8>) -> Bool {
        guard position &+ 10 <= input.count, position &+ 8 <= lineLimit,
            input.word(at: position) == 0x312E_312F_5054_5448,
            input[position &+ 8] == ASCII.carriageReturn,
            input[position &+ 9] == ASCII.lineFeed
        else { return false }
        minor = 1
        position &+= 10
        stage = .finished
        return true
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
        // The target is not what is too long, so it is no 414.
        guard index <= lineLimit else { throw .bad("method longer than a request line may be") }
    }

    private mutating func readTarget(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        var index = position
        let end = min(input.count, lineLimit + 1)
        while index &+ 8 <= end {
            let mask = WordScan.notTarget(input.word(at: index))
            index &+= mask == 0 ? 8 : WordScan.count(before: mask)
            if mask != 0 { break }
        }
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
