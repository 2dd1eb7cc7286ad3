#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The process's own input.
package enum StandardInput {
    /// Bytes that a line may have.
    private static let lineByteCountMax = 4096

    /// Reads a line without its end; from a terminal after a prompt, and without showing it.
    ///
    /// `nil` when nothing comes, or it is no UTF-8 or too long. Throws what reading throws.
    package static func readSecret(prompt: String) throws(Errno) -> String? {
        var settings = termios()
        let isTerminal = unsafe isatty(0) == 1 && tcgetattr(0, &settings) == 0
        guard isTerminal else { return try readLine() }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        _ = unsafe tcsetattr(0, TCSAFLUSH, &silent)
        defer {
            _ = unsafe tcsetattr(0, TCSAFLUSH, &settings)
            StandardStream.error.write("\n")
        }
        StandardStream.error.write(prompt)
        return try readLine()
    }

    /// Reads what is there, or waits for it; `nil` at the end.
    ///
    /// Throws what reading throws.
    package static func read(countMax: Int) throws(Errno) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: max(1, countMax))
        let result = unsafe bytes.withUnsafeMutableBytes { bytes in
            retrying { unsafe libcRead(0, bytes.baseAddress, bytes.count) }
        }
        let count = try result.get()
        return count == 0 ? nil : Array(bytes.prefix(count))
    }

    private static func readLine() throws(Errno) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        // One byte at a time: what follows the line is for whoever reads next.
        while line.count <= lineByteCountMax {
            let count = try retrying { unsafe libcRead(0, &byte, 1) }.get()
            if count == 0 || byte == UInt8(ascii: "\n") {
                let isNothing = count == 0 && line.isEmpty
                return isNothing ? nil : String(validating: line, as: UTF8.self)
            }
            line.append(byte)
        }
        return nil
    }
}

private func libcRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}
