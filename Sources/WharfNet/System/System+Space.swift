#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How much room a file system has.
package struct FileSpace: Sendable, Hashable {
    /// Bytes that this process may still write.
    package let availableByteCount: Int64
    /// Bytes that are taken.
    package let usedByteCount: Int64

    package init(availableByteCount: Int64, usedByteCount: Int64) {
        self.availableByteCount = availableByteCount
        self.usedByteCount = usedByteCount
    }
}

extension System {
    /// The room of the file system that an open file or folder lies in.
    package func space(of descriptor: Int32) -> Result<FileSpace, Errno> {
        var raw = statvfs()
        if case .failure(let error) = retrying({ unsafe Int(fstatvfs(descriptor, &raw)) }) {
            return .failure(error)
        }
        let unit = UInt64(raw.f_frsize)
        let used = UInt64(raw.f_blocks) - min(UInt64(raw.f_blocks), UInt64(raw.f_bfree))
        return .success(
            FileSpace(
                availableByteCount: Self.bytes(UInt64(raw.f_bavail), unit),
                usedByteCount: Self.bytes(used, unit)))
    }

    private static func bytes(_ count: UInt64, _ unit: UInt64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? .max : Int64(clamping: product)
    }
}
