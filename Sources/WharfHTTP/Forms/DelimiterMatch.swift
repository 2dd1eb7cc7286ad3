/// Follows one delimiter from its first byte to the end of its line, over any cuts of the input.
struct DelimiterMatch: Sendable {
    enum Outcome {
        case needsInput
        /// The delimiter of a part, and its whole line.
        case line
        /// The last delimiter, up to its two hyphens.
        case last
        /// It was none: what has been read of it is text.
        case text(held: [UInt8])
        case tooLong
    }

    private enum Tail: UInt8 {
        case none, hyphen, padding, carriageReturn
    }

    /// RFC 2046 §5.1.1: white space that gateways may have added to the line.
    private static let paddingMax = 64

    private var matchedCount = 0
    /// Bytes that count as matched but belong to something else: the line end before a delimiter.
    private var skippedCount = 0
    private var padding: [UInt8] = []
    private var tail = Tail.none

    /// A delimiter that may begin with its hyphens.
    init(skippingLineEnd: Bool) {
        skippedCount = skippingLineEnd ? 2 : 0
        matchedCount = skippedCount
    }

    /// Whether something has matched.
    var isStarted: Bool { matchedCount > 0 }

    /// Takes over what a search has found.
    mutating func start(matchedCount count: Int) {
        matchedCount = count
    }

    /// Reads on; all that is read belongs to the delimiter, or is text after all.
    mutating func read(
        _ input: borrowing Span<UInt8>, _ position: inout Int, wanted: [UInt8]
    ) -> Outcome {
        while position < input.count, matchedCount < wanted.count {
            guard input[position] == wanted[matchedCount] else { return fail(wanted) }
            matchedCount += 1
            position += 1
        }
        while position < input.count {
            let byte = input[position]
            switch (tail, byte) {
            case (.none, ASCII.hyphen): tail = .hyphen
            case (.hyphen, ASCII.hyphen):
                position += 1
                return end(.last)
            case (.none, ASCII.space), (.none, ASCII.tab), (.padding, ASCII.space),
                (.padding, ASCII.tab):
                guard padding.count < Self.paddingMax else { return .tooLong }
                padding.append(byte)
                tail = .padding
            case (.none, ASCII.carriageReturn), (.padding, ASCII.carriageReturn):
                tail = .carriageReturn
            case (.carriageReturn, ASCII.lineFeed):
                position += 1
                return end(.line)
            default: return fail(wanted)
            }
            position += 1
        }
        return .needsInput
    }

    private mutating func end(_ outcome: Outcome) -> Outcome {
        self = DelimiterMatch(skippingLineEnd: false)
        return outcome
    }

    private mutating func fail(_ wanted: [UInt8]) -> Outcome {
        var held = Array(wanted[skippedCount..<matchedCount]) + padding
        switch tail {
        case .hyphen: held.append(ASCII.hyphen)
        case .carriageReturn: held.append(ASCII.carriageReturn)
        case .none, .padding: break
        }
        return end(.text(held: held))
    }
}
