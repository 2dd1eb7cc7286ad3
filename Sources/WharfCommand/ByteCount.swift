extension OptionScanner.Option {
    /// A number of bytes: `1000`, or with a binary unit `64K`, `10M`, `2G`, `1T`.
    func byteCount() throws(UsageError) -> Int64 {
        let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
        let unit = value.last.flatMap { units[Character($0.uppercased())] }
        let digits = unit == nil ? value[...] : value.dropLast()
        guard let number = Int64(digits), number >= 0,
            case let (count, overflow) = number.multipliedReportingOverflow(by: unit ?? 1),
            !overflow
        else { throw UsageError("--\(name): \(value) is no number of bytes, such as 500M or 2G") }
        return count
    }
}
