/// Checks that bytes are UTF-8 (RFC 3629) while they arrive, and refuses the first one that is not.
package struct UTF8Validator: Sendable {
    /// Continuation bytes that the present character still needs.
    private var missingCount = 0
    // What the next of them may be: the first one rules out long forms, surrogates and what lies
    // beyond U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    package init() {}

    /// Whether the bytes so far end with a whole character.
    package var isComplete: Bool { missingCount == 0 }

    /// Takes more bytes; false when they can't be the beginning of a text.
    package mutating func accepts(_ bytes: borrowing Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if missingCount == 0 { index += Self.asciiCount(bytes, from: index) }
            guard index < bytes.count else { return true }
            guard accepts(bytes[index]) else { return false }
            index += 1
        }
        return true
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        guard missingCount == 0 else {
            guard byte >= lowest, byte <= highest else { return false }
            missingCount -= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        (lowest, highest) = (0x80, 0xBF)
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missingCount = 1
        case 0xE0...0xEF:
            missingCount = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            missingCount = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }

    /// How many bytes from `start` on are certainly ASCII, eight at a time.
    private static func asciiCount(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index + 8 <= bytes.count {
            // Inside the bounds, as just checked; every bit pattern is a UInt64.
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(
                fromByteOffset: index, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        return index - start
    }
}
