#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ProcessSettings {
    /// Ends the process.
    package static func exit(_ code: Int32) -> Never {
        libcExit(code)
    }
}

private func libcExit(_ code: Int32) -> Never { exit(code) }
