import Testing
import WharfHTTP

@Suite struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `the three forms say the same`(text: String) {
        #expect(HTTPDate(text)?.unixSeconds == 784_111_777)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ])
    func `a date is written`(seconds: Int64, text: String) {
        #expect(HTTPDate(unixSeconds: seconds).description == text)
    }

    @Test func `what was written is read again`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let seconds = Int64.random(in: -62_167_219_200..<253_402_300_800, using: &generator)
            let date = HTTPDate(unixSeconds: seconds)
            #expect(HTTPDate(date.description) == date)
        }
    }

    @Test(arguments: [
        "", "x", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0100",
        "Sun Nov 06 08:49:37 1994 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    ])
    func `what is no date is refused`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test(arguments: [
        (2026, "76", 2076), (2026, "77", 1977), (1990, "94", 1994), (1990, "30", 1930),
    ])
    func `a year of two digits is at most 50 years ahead`(now: Int, short: String, year: Int) {
        let date = HTTPDate("Sunday, 06-Nov-\(short) 08:49:37 GMT", nowYear: now)
        #expect(date?.description.contains(" \(year) ") == true)
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", nowYear: .max) != nil)
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", nowYear: .min) != nil)
    }
}
