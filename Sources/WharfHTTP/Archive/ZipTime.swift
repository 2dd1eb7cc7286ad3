/// The time of an entry as DOS had it, in UTC: every other second from 1980 to 2107.
enum ZipTime {
    /// The nearest time that there is for one in seconds since 1970.
    static func fields(_ unixSeconds: Int64) -> (time: UInt16, date: UInt16) {
        // 1980-01-01T00:00:00Z and 2107-12-31T23:59:58Z.
        let seconds = min(max(unixSeconds, 315_532_800), 4_354_819_198)
        let (days, second) = HTTPDate(unixSeconds: seconds).dayAndSecond
        let (year, month, day) = HTTPDate.civil(days: days)
        let time = (second / 3600) << 11 | (second / 60 % 60) << 5 | (second % 60) / 2
        let date = (year - 1980) << 9 | month << 5 | day
        return (UInt16(clamping: time), UInt16(clamping: date))
    }
}
