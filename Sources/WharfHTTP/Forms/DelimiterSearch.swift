/// Finds a delimiter in data, sixteen bytes and more at a time.
///
/// A delimiter starts with the only CR in it. So two places where it may start cannot overlap, and
/// the time is linear in the data, whatever that is.
struct DelimiterSearch: Sendable {
    /// What is looked for; at least two bytes, the first of them CR and no other.
    let delimiter: [UInt8]

    /// The first place where the delimiter stands, or what may be its start at the end of the
    /// input; else the end of the input and nothing.
    func first(
        in input: borrowing Span<UInt8>, from start: Int
    ) -> (position: Int, matchedCount: Int) {
        var position = nextCandidate(in: input, from: start)
        while position < input.count {
            let count = matchedCount(in: input, at: position)
            if count == delimiter.count || position + count == input.count {
                return (position, count)
            }
            position = nextCandidate(in: input, from: position + 1)
        }
        return (input.count, 0)
    }

    /// How many bytes of the delimiter follow at `position`.
    private func matchedCount(in input: borrowing Span<UInt8>, at position: Int) -> Int {
        let end = min(delimiter.count, input.count - position)
        var count = 0
        while count < end, input[position &+ count] == delimiter[count] { count &+= 1 }
        return count
    }

    /// The next CR with the last byte of the delimiter at its place behind it.
    ///
    /// Where that place is beyond the input, any CR will do.
    private func nextCandidate(in input: borrowing Span<UInt8>, from start: Int) -> Int {
        let lastOffset = delimiter.count - 1
        let last = delimiter[lastOffset]
        let end = input.count - lastOffset
        var position = start
        // Mostly there is nothing in sixty-four, which is said at once.
        while position &+ 64 <= end {
            let low =
                Self.hits(input, position, last, lastOffset)
                .| Self.hits(input, position &+ 16, last, lastOffset)
            let high =
                Self.hits(input, position &+ 32, last, lastOffset)
                .| Self.hits(input, position &+ 48, last, lastOffset)
            guard WordScan.firstLane(low .| high) == 16 else { break }
            position &+= 64
        }
        while position &+ 16 <= end {
            let offset = WordScan.firstLane(Self.hits(input, position, last, lastOffset))
            if offset < 16 { return position &+ offset }
            position &+= 16
        }
        while position < input.count {
            let lastPosition = position &+ lastOffset
            if input[position] == ASCII.carriageReturn,
                lastPosition >= input.count || input[lastPosition] == last
            {
                return position
            }
            position &+= 1
        }
        return position
    }

    /// Which of sixteen bytes are CR and have the last byte of the delimiter at its place.
    ///
    /// These are two bytes far from each other: data of nothing but line ends has no hit, either.
    @inline(__always)
    private static func hits(
        _ input: borrowing Span<UInt8>, _ position: Int, _ last: UInt8, _ lastOffset: Int
    ) -> SIMDMask<SIMD16<Int8>> {
        (input.vector(at: position) .== SIMD16(repeating: ASCII.carriageReturn))
            .& (input.vector(at: position &+ lastOffset) .== SIMD16(repeating: last))
    }
}
