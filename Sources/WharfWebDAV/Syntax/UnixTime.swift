/// A time in seconds since 1970, as X-OC-Mtime has it: older clients send fractions.
package struct UnixTime: Sendable, Hashable {
    /// Nanoseconds since 1970.
    package let nanoseconds: Int64

    /// Reads decimal digits with or without a fraction; `nil` if it is something else, lies before
    /// 1970 or beyond what a file can have.
    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let seconds = parts.first.flatMap({ Int64(String(decoding: $0, as: UTF8.self)) }),
            seconds <= 253_402_300_799
        else { return nil }
        // Nine digits at most; what is shorter is filled up.
        var fraction: Int64 = 0
        let digits = parts.count == 2 ? Array(parts[1].prefix(9)) : []
        for index in 0..<9 {
            let digit = index < digits.count ? Int64(digits[index]) - 0x30 : 0
            fraction = fraction * 10 + digit
        }
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, isTooMuch) = whole.addingReportingOverflow(fraction)
        guard !isTooMuch else { return nil }
        nanoseconds = sum
    }
}
