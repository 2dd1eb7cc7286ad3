#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension System {
    /// Sets when an open file or folder was changed last, in nanoseconds since 1970.
    ///
    /// When it was read last stays as it is.
    package func setModificationTime(of descriptor: Int32, to time: Int64) -> SystemResult {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        // C counts nanoseconds upwards from the second, before 1970 as well.
        let isBefore = rest < 0
        let times = [
            timespec(tv_sec: 0, tv_nsec: Self.omitted),
            timespec(
                tv_sec: time_t(seconds - (isBefore ? 1 : 0)),
                tv_nsec: Int(rest + (isBefore ? 1_000_000_000 : 0))),
        ]
        return retrying { unsafe Int(futimens(descriptor, times)) }
    }

    // UTIME_OMIT, which Swift doesn't see: a cast in a macro.
    #if canImport(Darwin)
        private static let omitted = -2
    #else
        private static let omitted = (1 << 30) - 2
    #endif
}
