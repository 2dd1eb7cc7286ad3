/// Base 64 (RFC 4648 §4).
package enum Base64 {
    /// Encodes bytes, with or without the padding at the end.
    package static func encode(_ bytes: [UInt8], isPadded: Bool = true) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for offset in 0..<3 {
                let index = start + offset
                bits = bits << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
            }
            for offset in 0...group.count {
                result.append(digit(UInt8(bits >> UInt32(18 - 6 * offset) & 63)))
            }
            if isPadded { result += [UInt8](repeating: ASCII.equals, count: 3 - group.count) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes, or answers `nil` for what no encoder writes.
    ///
    /// The padding may be missing. Bits that stand for nothing have to be zero (RFC 4648 §3.5), so
    /// that there is one text for each run of bytes.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var digitCount = 0
        var paddingCount = 0
        for byte in text {
            if byte == ASCII.equals {
                paddingCount += 1
                continue
            }
            guard paddingCount == 0, let value = value(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            digitCount += 1
            if digitCount % 4 == 0 {
                for shift: UInt32 in [16, 8, 0] {
                    result.append(UInt8(truncatingIfNeeded: bits >> shift))
                }
                bits = 0
            }
        }
        let rest = digitCount % 4
        guard rest != 1, paddingCount == 0 || rest > 0 && paddingCount == 4 - rest else {
            return nil
        }
        if rest == 2 {
            guard bits & 0xF == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: bits >> 4))
        } else if rest == 3 {
            guard bits & 0x3 == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: bits >> 10))
            result.append(UInt8(truncatingIfNeeded: bits >> 2))
        }
        return result
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: value + 0x41
        case 26..<52: value - 26 + 0x61
        case 52..<62: value - 52 + ASCII.zero
        case 62: 0x2B
        default: ASCII.slash
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x5A: digit - 0x41
        case 0x61...0x7A: digit - 0x61 + 26
        case ASCII.zero...ASCII.nine: digit - ASCII.zero + 52
        case 0x2B: 62
        case ASCII.slash: 63
        default: nil
        }
    }
}
