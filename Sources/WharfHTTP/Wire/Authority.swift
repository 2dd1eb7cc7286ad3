/// Host and port as they stand in a Host field or a target (RFC 3986 §3.2, RFC 9110 §7.2).
enum Authority {
    /// Whether `range` is a host with an optional port: no user information, no path, no list.
    ///
    /// An empty host is valid here; whether it is where it stands, ``hasHost(_:_:)`` says.
    static func isValid(
        _ input: borrowing Span<UInt8>, _ range: Range<Int>, needsPort: Bool = false
    ) -> Bool {
        var index = range.lowerBound
        if index < range.upperBound, input[index] == ASCII.openBracket {
            guard let end = addressEnd(input, range) else { return false }
            index = end
        } else {
            while index < range.upperBound, ASCII.isHostName(input[index]) { index += 1 }
        }
        if needsPort {
            guard index > range.lowerBound, index + 1 < range.upperBound else { return false }
        }
        guard index < range.upperBound else { return true }
        guard input[index] == ASCII.colon else { return false }
        return isPort(input, index + 1..<range.upperBound)
    }

    /// Whether a valid authority names a host: an `http` URI without one is invalid (RFC 9110 §4.2.1).
    static func hasHost(_ input: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        !range.isEmpty && input[range.lowerBound] != ASCII.colon
    }

    /// The position after the bracket that closes an IPv6 address, or nil.
    private static func addressEnd(_ input: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.lowerBound + 1
        var hasColon = false
        while index < range.upperBound {
            let byte = input[index]
            index += 1
            if byte == ASCII.closeBracket { return hasColon ? index : nil }
            if byte == ASCII.colon { hasColon = true }
            guard byte == ASCII.colon || byte == ASCII.dot || ASCII.hexValue(byte) != nil else {
                return nil
            }
        }
        return nil
    }

    // RFC 3986 §3.2.3: a port may be empty.
    private static func isPort(_ input: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 5 else { return false }
        var port = 0
        var index = range.lowerBound
        while index < range.upperBound {
            let digit = Int(input[index] &- ASCII.zero)
            guard digit < 10 else { return false }
            port = port * 10 + digit
            index &+= 1
        }
        return port <= 65535
    }
}
