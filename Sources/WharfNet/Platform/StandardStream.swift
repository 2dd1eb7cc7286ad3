#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The process's own output and error streams, unbuffered.
package struct StandardStream: Sendable {
    /// Standard output.
    package static let output = StandardStream(descriptor: 1)
    /// Standard error.
    package static let error = StandardStream(descriptor: 2)

    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether people read it.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// How many characters fit in a line of a terminal; 80 when that is not known.
    package var columnCount: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Writes a text in as few calls as the stream takes; what can't be written is dropped.
    package func write(_ text: String) {
        write(Array(text.utf8)[...])
    }

    /// Writes bytes; see ``write(_:)-(String)``.
    package func write(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let result = unsafe rest.withUnsafeBytes { bytes in
                retrying { unsafe libcWrite(descriptor, bytes.baseAddress, bytes.count) }
            }
            guard case .success(let count) = result, count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
