/// Reads field lines up to and with the empty line that ends them (RFC 9112 §5).
///
/// The input starts at the same first byte each time and grows. Every byte is looked at once, in
/// order, so the outcome does not depend on how the input was cut.
struct FieldSectionParser: Sendable {
    private enum Stage: UInt8 {
        case lineStart, name, valueStart, value, lineFeed, lastLineFeed, finished
    }

    private let limits: HTTPHeadLimits
    private var stage = Stage.lineStart
    /// The next byte to look at; once finished, the first byte after the section.
    private(set) var position = 0
    private(set) var entries: [HTTPFields.Entry] = []
    private var sectionStart = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    /// Where the line must have ended.
    private var lineLimit = 0

    init(limits: HTTPHeadLimits) {
        self.limits = limits
    }

    /// Hands out what was read, without a copy.
    mutating func takeEntries() -> [HTTPFields.Entry] {
        var taken: [HTTPFields.Entry] = []
        swap(&taken, &entries)
        return taken
    }

    /// Says where the section starts, before anything is read.
    mutating func begin(at position: Int) {
        self.position = position
        sectionStart = position
    }

    /// Reads on; true once the section is complete.
    mutating func parse(_ input: borrowing Span<UInt8>) throws(HTTPParseError) -> Bool {
        while position < input.count {
            switch stage {
            case .lineStart:
                try beginLine(input[position])
                if stage == .name { readWholeLine(input) }
            case .name: try readName(input)
            case .valueStart: try skipWhitespace(input)
            case .value: try readValue(input)
            case .lineFeed:
                guard input[position] == ASCII.lineFeed else { throw .bad("bare CR in a field") }
                position += 1
                stage = .lineStart
            case .lastLineFeed:
                guard input[position] == ASCII.lineFeed else { throw .bad("bare CR after fields") }
                position += 1
                stage = .finished
                return true
            case .finished: return true
            }
        }
        return stage == .finished
    }

    private mutating func beginLine(_ byte: UInt8) throws(HTTPParseError) {
        if byte == ASCII.carriageReturn {
            position += 1
            stage = .lastLineFeed
            return
        }
        // RFC 9112 §5.2: a folded line, or white space before the first field (§2.2).
        guard !ASCII.isWhitespace(byte) else { throw .bad("field line starts with white space") }
        guard entries.count < limits.fieldCountMax else { throw Self.tooLarge("too many fields") }
        nameStart = position
        let sectionLimit = sectionStart + limits.fieldsMax - 2
        lineLimit = min(position + limits.fieldMax, sectionLimit)
        stage = .name
    }

    /// The common case: a valid line that is all there.
    ///
    /// Anything else is left to the stages, which decide; so a byte is looked at twice at most.
    private mutating func readWholeLine(_ input: borrowing Span<UInt8>) {
        let end = input.count
        var index = position
        while index < end, ASCII.isToken(input[index]) { index &+= 1 }
        guard index > position, index < end, input[index] == ASCII.colon else { return }
        let nameEnd = index
        index &+= 1
        while index < end, ASCII.isWhitespace(input[index]) { index &+= 1 }
        let valueStart = index
        index = Self.contentEnd(input, from: index)
        guard index <= lineLimit, index &+ 1 < end, input[index] == ASCII.carriageReturn,
            input[index &+ 1] == ASCII.lineFeed
        else { return }
        self.nameEnd = nameEnd
        self.valueStart = valueStart
        addEntry(input, valueEnd: index)
        position = index &+ 2
        stage = .lineStart
    }

    /// The first position from `start` that holds no field content, or the end.
    @inline(__always)
    private static func contentEnd(_ input: borrowing Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= input.count {
            let mask = WordScan.notContent(input.word(at: index))
            if mask == 0 {
                index &+= 8
                continue
            }
            index &+= WordScan.count(before: mask)
            guard input[index] == ASCII.tab else { return index }
            index &+= 1
        }
        while index < input.count, ASCII.isFieldContent(input[index]) { index &+= 1 }
        return index
    }

    private mutating func readName(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        var index = position
        // One byte past the limit may be looked at, and is an error unless it ends the line.
        let end = min(input.count, lineLimit + 1)
        while index < end {
            let byte = input[index]
            index += 1
            if ASCII.isToken(byte) { continue }
            // RFC 9112 §5.1: no white space between name and colon.
            guard byte == ASCII.colon, index - 1 > nameStart else {
                throw .bad("field name is not a token followed by a colon")
            }
            nameEnd = index - 1
            stage = .valueStart
            break
        }
        position = index
        guard index <= lineLimit else { throw Self.tooLarge("field too long") }
    }

    private mutating func skipWhitespace(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        var index = position
        let end = min(input.count, lineLimit + 1)
        while index < end, ASCII.isWhitespace(input[index]) { index += 1 }
        position = index
        guard index <= lineLimit else { throw Self.tooLarge("field too long") }
        guard index < input.count else { return }
        valueStart = index
        stage = .value
    }

    private mutating func readValue(_ input: borrowing Span<UInt8>) throws(HTTPParseError) {
        var index = position
        let end = min(input.count, lineLimit + 1)
        while index < end {
            let byte = input[index]
            if ASCII.isFieldContent(byte) {
                index += 1
                continue
            }
            // RFC 9110 §5.5: CR, LF, NUL and other controls are not part of a value.
            guard byte == ASCII.carriageReturn else { throw .bad("control character in a field") }
            position = index + 1
            guard index <= lineLimit else { throw Self.tooLarge("field too long") }
            addEntry(input, valueEnd: index)
            return
        }
        position = index
        guard index <= lineLimit else { throw Self.tooLarge("field too long") }
    }

    private mutating func addEntry(_ input: borrowing Span<UInt8>, valueEnd: Int) {
        var end = valueEnd
        while end > valueStart, ASCII.isWhitespace(input[end - 1]) { end -= 1 }
        if entries.isEmpty { entries.reserveCapacity(16) }
        // The limits keep every position far below 4 GiB.
        entries.append(
            HTTPFields.Entry(
                nameStart: UInt32(clamping: nameStart),
                nameCount: UInt32(clamping: nameEnd - nameStart),
                valueStart: UInt32(clamping: valueStart),
                valueCount: UInt32(clamping: end - valueStart)))
        stage = .lineFeed
    }

    private static func tooLarge(_ reason: StaticString) -> HTTPParseError {
        HTTPParseError(.requestHeaderFieldsTooLarge, reason)
    }
}
