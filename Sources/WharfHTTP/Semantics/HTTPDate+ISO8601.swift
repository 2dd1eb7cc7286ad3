// The form of dates in data, such as JSON, and in WebDAV: RFC 3339, a profile of ISO 8601.
extension HTTPDate {
    /// Reads `1994-11-06T08:49:37Z`, or returns nil.
    ///
    /// A fraction of a second is dropped, and an offset from UTC (`+01:00`) is taken into account.
    public init?(iso8601 text: some StringProtocol) {
        var scanner = ISO8601Scanner(bytes: Array(text.utf8))
        guard let date = scanner.date() else { return nil }
        self = date
    }

    /// The date as `1994-11-06T08:49:37Z`.
    public var iso8601: String {
        let (days, second) = dayAndSecond
        let (year, month, day) = Self.civil(days: days)
        var bytes: [UInt8] = []
        Self.append(year, digits: 4, to: &bytes)
        bytes.append(ASCII.hyphen)
        Self.append(month, digits: 2, to: &bytes)
        bytes.append(ASCII.hyphen)
        Self.append(day, digits: 2, to: &bytes)
        bytes.append("T")
        Self.append(second / 3600, digits: 2, to: &bytes)
        bytes.append(ASCII.colon)
        Self.append(second / 60 % 60, digits: 2, to: &bytes)
        bytes.append(ASCII.colon)
        Self.append(second % 60, digits: 2, to: &bytes)
        bytes.append("Z")
        return String(decoding: bytes, as: UTF8.self)
    }
}

private struct ISO8601Scanner {
    let bytes: [UInt8]
    var index = 0

    mutating func date() -> HTTPDate? {
        guard bytes.count <= 40, let year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2), take("T") || take("t") || take(" "), let hour = number(2),
            take(":"), let minute = number(2), take(":"), let second = number(2), skipFraction(),
            let offset = offset(), index == bytes.count,
            let date = HTTPDate(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        return HTTPDate(unixSeconds: date.unixSeconds - offset)
    }

    private mutating func skipFraction() -> Bool {
        guard take(".") || take(",") else { return true }
        let start = index
        while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
        return index > start
    }

    /// Seconds that local time is ahead of UTC.
    private mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let sign: Int64 = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24,
            minutes < 60
        else { return nil }
        return sign * Int64(hours * 3600 + minutes * 60)
    }

    private mutating func number(_ digitCount: Int) -> Int? {
        guard index + digitCount <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digitCount] {
            guard ASCII.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - ASCII.zero)
        }
        index += digitCount
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
