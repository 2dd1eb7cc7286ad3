/// Reads `multipart/form-data` in pieces (RFC 7578, RFC 2046 §5.1).
///
///     while let event = try parser.next(in: input.span, from: &position) { ... }
///
/// Whatever is fed is consumed. Data is handed out as ranges of the input; only what may be the
/// start of a delimiter is held back at its end, which is a boundary's length at most. Memory is
/// bounded by ``MultipartLimits``, time is linear.
///
/// - Lines end in CRLF: to take a bare LF for one (as some servers do) lets others see other parts.
/// - A body that ends before its last delimiter is an error; see ``finish()``.
/// - A line that only starts like a delimiter is data.
/// - Text before the first part is skipped up to a limit, text after the last one always.
/// - A part of the type `multipart/mixed` is not unpacked (RFC 7578 §4.3).
package struct MultipartParser: Sendable {
    /// What was read.
    package enum Event: Sendable {
        /// A part begins.
        case part(MultipartPartHead)
        /// Data of the part, in the input.
        case data(Range<Int>)
        /// Data of the part that came with earlier input, and was held back as a delimiter's start.
        case heldData([UInt8])
        /// The part is complete.
        case partEnd
        /// The last delimiter has been read; all that follows is ignored.
        case finished
    }

    private enum Stage: UInt8 {
        /// Before the first part, or inside of one.
        case preamble, data
        /// In the fields of a part.
        case head
        /// After a delimiter's line; after the last delimiter; at the end of all events.
        case partEnd, lastPartEnd, closed, finished
    }

    private let limits: MultipartLimits
    private let search: DelimiterSearch
    private var stage = Stage.preamble
    private var failure: MultipartError?
    private var delimiter: DelimiterMatch
    private var preambleByteCount = 0
    private var partCount = 0
    private var headBytes: [UInt8] = []
    private var headParser: FieldSectionParser

    /// A parser at the start of a body.
    package init(boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
        self.limits = limits
        search = DelimiterSearch(delimiter: boundary.delimiter)
        // RFC 2046 §5.1.1: the first delimiter has no CRLF of its own before it.
        delimiter = DelimiterMatch(skippingLineEnd: true)
        headParser = FieldSectionParser(limits: limits.head)
    }

    /// Reads on from `position`, and moves it behind what was read.
    ///
    /// Returns nil once all of the input is dealt with. Input may be cut anywhere. After an error,
    /// every call throws the same.
    package mutating func next(
        in input: borrowing Span<UInt8>, from position: inout Int
    ) throws(MultipartError) -> Event? {
        if let failure { throw failure }
        do throws(MultipartError) {
            return try read(input, &position)
        } catch {
            failure = error
            throw error
        }
    }

    /// Says that the body has ended; throws unless the last delimiter was there.
    package func finish() throws(MultipartError) {
        if let failure { throw failure }
        guard stage == .finished || stage == .closed else {
            throw .malformed("body without a last delimiter")
        }
    }

    private mutating func read(
        _ input: borrowing Span<UInt8>, _ position: inout Int
    ) throws(MultipartError) -> Event? {
        while true {
            switch stage {
            case .partEnd:
                stage = .head
                return .partEnd
            case .lastPartEnd:
                stage = .closed
                return .partEnd
            case .closed:
                stage = .finished
                return .finished
            case .finished:
                position = input.count
                return nil
            case .preamble, .data, .head:
                guard position < input.count else { return nil }
                let event =
                    stage == .head
                    ? try readHead(input, &position) : try readText(input, &position)
                if let event { return event }
            }
        }
    }
}

extension MultipartParser {
    /// Reads data, or text that is skipped, up to the end of a delimiter's line.
    private mutating func readText(
        _ input: borrowing Span<UInt8>, _ position: inout Int
    ) throws(MultipartError) -> Event? {
        guard delimiter.isStarted else {
            let start = position
            let found = search.first(in: input, from: start)
            delimiter.start(matchedCount: found.matchedCount)
            position = found.position + found.matchedCount
            return try text(start..<found.position)
        }
        switch delimiter.read(input, &position, wanted: search.delimiter) {
        case .needsInput: return nil
        case .line: try endLine(isLast: false)
        case .last: try endLine(isLast: true)
        case .tooLong: throw .malformed("white space after a boundary is too long")
        case .text(let held):
            // All that was held back lies in this input, unless it came with an earlier one.
            let start = position - held.count
            return try start >= 0 ? text(start..<position) : heldText(held)
        }
        return nil
    }

    private mutating func text(_ range: Range<Int>) throws(MultipartError) -> Event? {
        if stage == .data { return range.isEmpty ? nil : .data(range) }
        try skip(range.count)
        return nil
    }

    private mutating func heldText(_ held: [UInt8]) throws(MultipartError) -> Event? {
        if stage == .data { return held.isEmpty ? nil : .heldData(held) }
        try skip(held.count)
        return nil
    }

    private mutating func skip(_ count: Int) throws(MultipartError) {
        preambleByteCount += count
        guard preambleByteCount <= limits.preambleMax else {
            throw .malformed("too much text before the first part")
        }
    }

    private mutating func endLine(isLast: Bool) throws(MultipartError) {
        let endsPart = stage == .data
        if isLast {
            // RFC 2046 §5.1.1 wants a part; a form without fields is sent without one. But text
            // that ends in a last delimiter is parts whose boundary is another: do not lose them.
            guard endsPart || preambleByteCount == 0 else {
                throw .malformed("text, but no part, before the last delimiter")
            }
            stage = endsPart ? .lastPartEnd : .closed
        } else {
            partCount += 1
            guard partCount <= limits.partCountMax else { throw .tooLarge("too many parts") }
            stage = endsPart ? .partEnd : .head
        }
    }

    private mutating func readHead(
        _ input: borrowing Span<UInt8>, _ position: inout Int
    ) throws(MultipartError) -> Event? {
        let before = headBytes.count
        // Heads are short: more than some bytes at once would be copied in vain for most.
        let count = min(input.count - position, 256)
        headBytes.append(copying: input, position..<position + count)
        // Moved out and back, so that its entries are never shared and copied.
        var parser = FieldSectionParser(limits: limits.head)
        swap(&parser, &headParser)
        let isComplete: Bool
        do throws(HTTPParseError) {
            isComplete = try parser.parse(headBytes.span)
        } catch {
            throw MultipartError(error)
        }
        guard isComplete else {
            swap(&parser, &headParser)
            position += count
            return nil
        }
        position += parser.position - before
        let fields = HTTPFields(arena: headBytes, entries: parser.takeEntries())
        headBytes = []
        // RFC 2046 §5.1.1: where a part has no data, the empty line is the start of the delimiter.
        delimiter = DelimiterMatch(skippingLineEnd: true)
        stage = .data
        return .part(try MultipartPartHead(fields: fields))
    }
}
