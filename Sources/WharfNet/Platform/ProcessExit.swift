#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ProcessSettings {
    /// Has the closure called when the process ends by `exit` or by returning from `main`.
    ///
    /// The closure takes no context along, as C wants it.
    package static func onExit(_ body: @convention(c) () -> Void) {
        atexit(body)
    }

    /// Ends the process.
    package static func exit(_ code: Int32) -> Never {
        libcExit(code)
    }
}

private func libcExit(_ code: Int32) -> Never { exit(code) }
