extension Duration {
    /// Nanoseconds, between 0 and the largest that fits.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : min(whole, .max / 4) + UInt64(attoseconds) / 1_000_000_000
    }
}
