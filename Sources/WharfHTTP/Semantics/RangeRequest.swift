/// What a Range field asks for, given the length of the representation (RFC 9110 §14).
public enum RangeRequest: Sendable, Hashable {
    /// No range, one that is malformed, or an unknown unit: the whole is sent, with 200.
    case ignored
    /// Well-formed, but nothing of it lies inside: 416 with `Content-Range: bytes */length`.
    case unsatisfiable
    /// The parts to send with 206: in ascending order, none empty, none touching another.
    case ranges([Range<Int64>])

    /// More parts than these are not sent: they cost more than the whole, which is sent instead.
    public static let rangeCountMax = 16

    /// Longer lists are ignored before ranges that overlap or touch have been joined.
    static let listCountMax = 512

    /// Reads the value of a Range field.
    ///
    /// `length` is the number of bytes there are.
    public init(parsing text: some StringProtocol, length: Int64) {
        guard let specifications = Self.specifications(Array(text.utf8)) else {
            self = .ignored
            return
        }
        let ranges = Self.merged(specifications.compactMap { $0.resolve(length) })
        if ranges.isEmpty {
            self = .unsatisfiable
        } else {
            // RFC 9110 §14.2: many small ranges may be ignored.
            self = ranges.count <= Self.rangeCountMax ? .ranges(ranges) : .ignored
        }
    }

    /// The value of Content-Range for one part of `length` bytes (RFC 9110 §14.4).
    public static func contentRange(_ range: Range<Int64>, length: Int64) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
    }

    private enum Specification {
        case bounded(Int64, Int64)
        case open(Int64)
        case suffix(Int64)

        func resolve(_ length: Int64) -> Range<Int64>? {
            switch self {
            case .bounded(let first, let last):
                first < length ? first..<min(last, length - 1) + 1 : nil
            case .open(let first): first < length ? first..<length : nil
            case .suffix(let count):
                count > 0 && length > 0 ? max(length - count, 0)..<length : nil
            }
        }
    }

    private static func specifications(_ bytes: [UInt8]) -> [Specification]? {
        let prefix = bytes.prefix(6).map { ASCII.lowercased($0) }
        // RFC 9110 §14.1: range units are compared without regard to case.
        guard prefix.elementsEqual("bytes=".utf8) else { return nil }
        let parts = bytes[6...].split(
            separator: ASCII.comma, maxSplits: listCountMax * 2, omittingEmptySubsequences: false)
        var result: [Specification] = []
        for part in parts {
            let range = bytes.span.trimmed(part.startIndex..<part.endIndex)
            // RFC 9110 §5.6.1.2: empty elements of a list count for nothing.
            if range.isEmpty { continue }
            guard result.count < listCountMax, let one = specification(bytes[range]) else {
                return nil
            }
            result.append(one)
        }
        return result.isEmpty ? nil : result
    }

    private static func specification(_ bytes: ArraySlice<UInt8>) -> Specification? {
        guard let hyphen = bytes.firstIndex(of: ASCII.hyphen) else { return nil }
        let first = bytes[..<hyphen]
        let last = bytes[(hyphen + 1)...]
        if first.isEmpty { return number(last).map { .suffix($0) } }
        guard let start = number(first) else { return nil }
        if last.isEmpty { return .open(start) }
        // RFC 9110 §14.1.1: a last position before the first makes the range invalid.
        guard let end = number(last), end >= start else { return nil }
        return .bounded(start, end)
    }

    /// A number; one beyond 63 bits counts as the largest, which no file reaches.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard !bytes.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in bytes {
            guard ASCII.isDigit(byte) else { return nil }
            let (shifted, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = shifted.addingReportingOverflow(Int64(byte - ASCII.zero))
            value = overflows || carries ? .max : sum
        }
        return value
    }

    // RFC 9110 §14.2: overlapping ranges may be joined. So no byte is sent twice, and the parts
    // together are no longer than the whole.
    private static func merged(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                let end = max(last.upperBound, range.upperBound)
                result[result.count - 1] = last.lowerBound..<end
            } else {
                result.append(range)
            }
        }
        return result
    }
}
