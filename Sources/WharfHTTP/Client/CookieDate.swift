/// The dates of cookies, which are read with more forgiveness than others (RFC 6265 §5.1.1).
enum CookieDate {
    /// Seconds since 1970, or `nil` for what is no date.
    static func seconds(_ text: String) -> Int64? {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter).prefix(16) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let number = leadingNumber(token, 1...2) {
                day = number
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let number = leadingNumber(token, 2...4) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601,
            time[0] < 24, time[1] < 60, time[2] < 60
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + time[2]
        return days(year, month, day) * 86_400 + Int64(seconds)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.tab, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func clock(_ token: Substring.UTF8View) -> [Int]? {
        let parts = token.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let numbers = parts.prefix(3).compactMap { leadingNumber($0, 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    /// A number of so many digits that something else than a digit may follow.
    private static func leadingNumber(
        _ token: Substring.UTF8View, _ digitCount: ClosedRange<Int>
    ) -> Int? {
        let digits = token.prefix { ASCII.isDigit($0) }
        guard digitCount.contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 &- ASCII.zero) }
    }

    private static func monthNumber(_ token: Substring.UTF8View) -> Int? {
        let name = String(decoding: token.prefix(3), as: UTF8.self).lowercasedASCII
        let names = "jan feb mar apr may jun jul aug sep oct nov dec".split(separator: " ")
        return names.firstIndex { $0 == name }.map { $0 + 1 }
    }

    /// Days since 1970 in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }
}
