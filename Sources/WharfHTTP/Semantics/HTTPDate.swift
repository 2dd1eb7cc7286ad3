/// A point in time as HTTP writes it: whole seconds, in GMT (RFC 9110 §5.6.7).
public struct HTTPDate: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
    public let unixSeconds: Int64

    /// The second after the last one that has a year of four digits.
    private static let end: Int64 = 253_402_300_800
    private static let start: Int64 = -62_167_219_200

    /// A date; what lies outside the years 0 to 9999 is moved to the nearest one inside.
    public init(unixSeconds: Int64) {
        self.unixSeconds = min(max(unixSeconds, Self.start), Self.end - 1)
    }

    init?(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) {
        guard (0...9999).contains(year), (1...12).contains(month), hour < 24, minute < 60,
            second <= 60, day >= 1, day <= Self.dayCount(month, year)
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        // A leap second is taken as the second after it.
        self.init(unixSeconds: Int64(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    /// Whether the left date is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        left.unixSeconds < right.unixSeconds
    }

    /// Appends the date in the form to send, `Sun, 06 Nov 1994 08:49:37 GMT`: 29 bytes.
    package func append(to output: inout [UInt8]) {
        let (days, second) = dayAndSecond
        let (year, month, day) = Self.civil(days: days)
        // 1970-01-01 was a Thursday.
        let weekday = Int(Int64(days + 4).quotientAndRemainder(flooringBy: 7).remainder)
        output.append(contentsOf: Self.weekdays[weekday].utf8.prefix(3))
        output.append(", ")
        Self.append(year, month, day, second, ASCII.space, ASCII.space, to: &output)
        output.append(" GMT")
    }

    /// Appends the date as access logs have it: `06/Nov/1994:08:49:37 +0000`.
    package func append(forLog output: inout [UInt8]) {
        let (days, second) = dayAndSecond
        let (year, month, day) = Self.civil(days: days)
        Self.append(
            year, month, day, second, UInt8(ascii: "/"), ASCII.colon, to: &output)
        output.append(" +0000")
    }

    @inline(__always)
    private static func append(
        _ year: Int, _ month: Int, _ day: Int, _ second: Int, _ separator: UInt8,
        _ beforeTime: UInt8, to output: inout [UInt8]
    ) {
        append(day, digits: 2, to: &output)
        output.append(separator)
        output.append(contentsOf: months[month - 1].utf8)
        output.append(separator)
        append(year, digits: 4, to: &output)
        output.append(beforeTime)
        append(second / 3600, digits: 2, to: &output)
        output.append(ASCII.colon)
        append(second / 60 % 60, digits: 2, to: &output)
        output.append(ASCII.colon)
        append(second % 60, digits: 2, to: &output)
    }

    /// Days since 1970-01-01, and the second of the day.
    var dayAndSecond: (day: Int, second: Int) {
        let (days, second) = unixSeconds.quotientAndRemainder(flooringBy: 86400)
        return (Int(days), Int(second))
    }

    static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func append(_ number: Int, digits: Int, to output: inout [UInt8]) {
        var divisor = digits == 4 ? 1000 : 10
        while divisor > 0 {
            output.append(ASCII.zero + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The form to send.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

// The Gregorian calendar, in years that begin with March so that the leap day comes last.
extension HTTPDate {
    private static func dayCount(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01; 719,468 lie between it and 0000-03-01, and 146,097 make 400 years.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(
        flooringBy divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
