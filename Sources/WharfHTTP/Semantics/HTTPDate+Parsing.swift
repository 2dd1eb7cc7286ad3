extension HTTPDate {
    /// Reads a date in any of the three forms of RFC 9110 §5.6.7, or returns nil.
    ///
    /// `nowYear` decides the century of a year of two digits: one that appears to be more than 50
    /// years ahead is past.
    public init?(_ text: some StringProtocol, nowYear: Int = 2026) {
        let bytes = Array(text.utf8)
        // The longest form is `Wednesday, 09-Nov-94 08:49:37 GMT`.
        guard (24...33).contains(bytes.count) else { return nil }
        var cursor = Cursor(bytes: bytes)
        guard let date = cursor.date(nowYear: nowYear), cursor.isAtEnd else { return nil }
        self = date
    }

    private struct Cursor {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func date(nowYear: Int) -> HTTPDate? {
            if let weekday = HTTPDate.weekdays.first(where: { take("\($0), ") }) {
                _ = weekday
                return rfc850Date(nowYear)
            }
            let short = HTTPDate.weekdays.map { $0.prefix(3) }
            guard short.contains(where: { take($0) }) else { return nil }
            return take(", ") ? fixdate() : take(" ") ? asctimeDate() : nil
        }

        /// `06 Nov 1994 08:49:37 GMT`.
        private mutating func fixdate() -> HTTPDate? {
            guard let day = number(2), take(" "), let month = month(), take(" "),
                let year = number(4), take(" "), let time = time(), take(" GMT")
            else { return nil }
            return date(year, month, day, time)
        }

        /// `06-Nov-94 08:49:37 GMT`.
        private mutating func rfc850Date(_ nowYear: Int) -> HTTPDate? {
            guard let day = number(2), take("-"), let month = month(), take("-"),
                let short = number(2), take(" "), let time = time(), take(" GMT")
            else { return nil }
            let now = min(max(nowYear, 100), 9900)
            var year = now - now % 100 + short
            if year > now + 50 { year -= 100 }
            return date(year, month, day, time)
        }

        /// `Nov  6 08:49:37 1994`.
        private mutating func asctimeDate() -> HTTPDate? {
            guard let month = month(), take(" "), let day = take(" ") ? number(1) : number(2),
                take(" "), let time = time(), take(" "), let year = number(4)
            else { return nil }
            return date(year, month, day, time)
        }

        private func date(
            _ year: Int, _ month: Int, _ day: Int, _ time: (Int, Int, Int)
        ) -> HTTPDate? {
            HTTPDate(
                year: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
        }

        private mutating func time() -> (Int, Int, Int)? {
            guard let hour = number(2), take(":"), let minute = number(2), take(":"),
                let second = number(2)
            else { return nil }
            return (hour, minute, second)
        }

        private mutating func month() -> Int? {
            HTTPDate.months.firstIndex { take($0) }.map { $0 + 1 }
        }

        private mutating func number(_ digits: Int) -> Int? {
            guard index + digits <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + digits] {
                guard ASCII.isDigit(byte) else { return nil }
                value = value * 10 + Int(byte - ASCII.zero)
            }
            index += digits
            return value
        }

        private mutating func take(_ text: some StringProtocol) -> Bool {
            guard bytes[index...].starts(with: text.utf8) else { return false }
            index += text.utf8.count
            return true
        }
    }
}
