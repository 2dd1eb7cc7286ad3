/// Decodes the chunked coding (RFC 9112 §7.1).
///
/// Whatever is fed is consumed, up to the end of the body or of one run of data; half a line is
/// kept inside. Data is handed out as ranges of the input, never copied.
package struct ChunkedDecoder: Sendable {
    /// What one call did.
    package struct Step: Sendable, Hashable {
        /// Bytes of the input that are dealt with; the next call starts after them.
        package let consumed: Int
        /// Where in the input body data lies; may be empty.
        package let data: Range<Int>
    }

    private enum Stage: UInt8 {
        case sizeStart, size, chunkExtension, sizeLineFeed, data, dataEnd, dataLineFeed
        case trailerStart, trailer, lastLineFeed, finished
    }

    /// RFC 9112 §7.1.1: a recipient must bound extensions.
    private static let extensionLineMax = 4096
    private static let extensionsMax = 16384
    private static let digitsMax = 16

    private var stage = Stage.sizeStart
    private var remaining: Int64 = 0
    private var digitCount = 0
    private var chunkExtension = ChunkExtensionParser()
    private var extensionByteCount = 0
    private var extensionLineByteCount = 0
    private var trailerBytes: [UInt8] = []
    private var trailerParser = FieldSectionParser(limits: .trailers)

    /// The trailer section (RFC 9112 §7.1.2), kept apart from the fields of the head on purpose:
    /// merged, it could forge them (RFC 9110 §6.5.1).
    ///
    /// Empty until the body is finished.
    package private(set) var trailers = HTTPFields()

    /// A decoder at the first chunk; costs no allocation.
    package init() {}

    /// Whether the body and its trailers have been read.
    package var isFinished: Bool { stage == .finished }

    /// Decodes on.
    ///
    /// Consumes nothing only if the input is empty or the body is finished.
    package mutating func decode(
        _ input: borrowing Span<UInt8>
    ) throws(HTTPParseError) -> Step {
        var index = 0
        while index < input.count, stage != .finished {
            switch stage {
            case .data:
                let count = Int(min(remaining, Int64(input.count - index)))
                remaining -= Int64(count)
                if remaining == 0 { stage = .dataEnd }
                return Step(consumed: index + count, data: index..<index + count)
            case .trailer:
                index += try readTrailers(input, from: index)
            default:
                try read(input[index])
                // A trailer line is read by its own parser, from its first byte on.
                if stage != .trailer { index += 1 }
            }
        }
        return Step(consumed: index, data: index..<index)
    }

    private mutating func read(_ byte: UInt8) throws(HTTPParseError) {
        switch stage {
        case .sizeStart, .size: try readSize(byte)
        case .chunkExtension: try readExtension(byte)
        case .sizeLineFeed:
            try expect(byte, ASCII.lineFeed, "bare CR after a chunk size")
            stage = remaining == 0 ? .trailerStart : .data
        case .dataEnd:
            try expect(byte, ASCII.carriageReturn, "chunk data is longer than its size")
            stage = .dataLineFeed
        case .dataLineFeed:
            try expect(byte, ASCII.lineFeed, "bare CR after chunk data")
            stage = .sizeStart
        case .trailerStart:
            stage = byte == ASCII.carriageReturn ? .lastLineFeed : .trailer
        case .lastLineFeed:
            try expect(byte, ASCII.lineFeed, "bare CR after the last chunk")
            stage = .finished
        case .data, .trailer, .finished: break
        }
    }

    private mutating func readSize(_ byte: UInt8) throws(HTTPParseError) {
        if stage == .sizeStart {
            remaining = 0
            digitCount = 0
        }
        if let digit = ASCII.hexValue(byte) {
            stage = .size
            digitCount += 1
            let (shifted, overflows) = remaining.multipliedReportingOverflow(by: 16)
            let (sum, carries) = shifted.addingReportingOverflow(Int64(digit))
            guard digitCount <= Self.digitsMax, !overflows, !carries else {
                throw .bad("chunk size is beyond 63 bits")
            }
            remaining = sum
        } else if stage == .size, byte == ASCII.carriageReturn {
            stage = .sizeLineFeed
        } else if stage == .size, byte == ASCII.semicolon {
            chunkExtension = ChunkExtensionParser()
            extensionLineByteCount = 0
            stage = .chunkExtension
            try countExtensionByte()
        } else {
            throw .bad("chunk size is not hexadecimal digits")
        }
    }

    private mutating func readExtension(_ byte: UInt8) throws(HTTPParseError) {
        if try chunkExtension.read(byte) {
            stage = .sizeLineFeed
        } else {
            try countExtensionByte()
        }
    }

    private mutating func countExtensionByte() throws(HTTPParseError) {
        extensionLineByteCount += 1
        extensionByteCount += 1
        guard extensionLineByteCount <= Self.extensionLineMax,
            extensionByteCount <= Self.extensionsMax
        else { throw .bad("chunk extensions too long") }
    }

    private mutating func readTrailers(
        _ input: borrowing Span<UInt8>, from start: Int
    ) throws(HTTPParseError) -> Int {
        let before = trailerBytes.count
        // One line beyond the limit is enough for the parser to refuse it.
        let room = HTTPHeadLimits.trailers.fieldsMax + 4 - before
        let count = min(input.count - start, max(room, 1))
        trailerBytes.append(copying: input, start..<start + count)
        // Moved out and back, so that its entries are never shared and copied.
        var parser = FieldSectionParser(limits: .trailers)
        swap(&parser, &trailerParser)
        let isComplete = try parser.parse(trailerBytes.span)
        swap(&parser, &trailerParser)
        guard isComplete else { return count }
        trailers = HTTPFields(arena: trailerBytes, entries: trailerParser.entries)
        trailerBytes = []
        stage = .finished
        return trailerParser.position - before
    }

    private func expect(
        _ byte: UInt8, _ wanted: UInt8, _ reason: StaticString
    ) throws(HTTPParseError) {
        guard byte == wanted else { throw .bad(reason) }
    }
}
