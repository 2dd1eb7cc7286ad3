#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What this machine is called.
package enum MachineName {
    /// The name that the system was given, such as `shelf` or `shelf.example.org`.
    ///
    /// `nil` if the system doesn't tell.
    package static var current: String? {
        // POSIX.1-2008, <limits.h>: a host's name has at most 255 bytes.
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count) == 0 else { return nil }
        let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty || bytes.count == name.count
            ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
